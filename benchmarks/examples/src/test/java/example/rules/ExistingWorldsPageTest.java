package example.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.command.Command;
import dev.escapement.physics.dyn4j.Dyn4jWorldSimulation;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.state.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.ExecutionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.dyn4j.dynamics.Body;
import org.dyn4j.geometry.Geometry;
import org.dyn4j.geometry.MassType;
import org.dyn4j.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Breaks each rule of physics-thread/docs/world.md, and checks that the page has the library's message for it. */
@Timeout(60)
class ExistingWorldsPageTest {

    private final World<Body> world = new World<>();
    private final Body crate = new Body();
    private final Dyn4jWorldSimulation<Body> simulation = new Dyn4jWorldSimulation<>(world);
    private final PhysicsService physics =
            PhysicsService.builder(simulation).source(simulation.touchWatch()).build();

    @BeforeEach
    void addACrate() {
        crate.addFixture(Geometry.createSquare(1));
        crate.setMass(MassType.NORMAL);
        world.addBody(crate);
        simulation.attach(crate, 7);
    }

    @AfterEach
    void close() {
        physics.close();
    }

    @Test
    void shouldReportOtherThreadsThatAccessTheWorld() throws Exception {
        run();
        assertPageHas(() -> simulation.world());
        assertPageHas(() -> world.step(1));
        Await.until(() -> {
            crate.translate(0, 1); // again and again, because the watch sees no move that comes during a tick
            return physics.failure().isPresent();
        });
        assertPageHas(failure());
    }

    @Test
    void shouldReportARemovedBodyThatIsAttached() throws Exception {
        run();
        commandAndWait(tick -> world.removeBody(crate));
        assertPageHas(failure());
    }

    @Test
    void shouldReportOfBodiesAndWorldsThatAreAttachedWrongly() throws IOException {
        Body stranger = new Body();
        assertPageHas(() -> simulation.attach(stranger, 8));
        assertPageHas(() -> simulation.attach(crate, 8));
        assertPageHas(() -> new Dyn4jWorldSimulation<>(world));
        simulation.detach(crate);
        assertPageHas(() -> simulation.detach(crate));
    }

    @Test
    void shouldReportOfASimulationThatTwoServicesTick() throws Exception {
        run();
        assertPageHas(() -> PhysicsService.start(simulation));
        assertThat(physics.state()).as("the first service").isEqualTo(ServiceState.RUNNING);
    }

    @Test
    void shouldReportOfCommandsThatComeAfterTheEnd() throws Exception {
        run();
        physics.close();
        Throwable thrown = catchThrowable(() -> physics.command(tick -> tick).get());
        assertThat(thrown).isInstanceOf(ExecutionException.class);
        assertPageHas(thrown.getCause());
    }

    private void run() {
        physics.start();
        commandAndWait(tick -> tick);
    }

    /** Returns why the service failed; commands then fail with the same cause. */
    private Throwable failure() {
        Await.until(() -> physics.failure().isPresent());
        return physics.failure().get();
    }

    private void commandAndWait(Command<?> command) {
        physics.command(command).handle((answer, refusal) -> refusal).join();
    }

    private static void assertPageHas(ThrowingCallable misuse) throws IOException {
        assertPageHas(catchThrowable(misuse));
    }

    private static void assertPageHas(Throwable thrown) throws IOException {
        assertThat(thrown).isNotNull();
        // The page leaves out hash codes, which differ in each run, and the text of a dyn4j body, which has a thousand
        // letters.
        String message = String.valueOf(thrown.getMessage())
                .replaceAll("@[0-9a-f]+", "@...")
                .replaceAll("Body\\[HashCode=.*GravityScale=1\\.0]", "Body[...]");
        assertThat(Path.of("../../physics-thread/docs/world.md"))
                .content()
                .contains(thrown.getClass().getSimpleName() + ": " + message);
    }
}
