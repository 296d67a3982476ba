package example.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.command.Command;
import dev.escapement.physics.dyn4j.Dyn4jWorldSimulation;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickTimes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.dyn4j.dynamics.Body;
import org.dyn4j.geometry.Geometry;
import org.dyn4j.geometry.MassType;
import org.dyn4j.world.World;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Breaks each rule of physics-thread/docs/world.md, and finds the library's message on that page. */
@Timeout(60)
class ExistingWorldsPageTest {

    private final World<Body> world = new World<>();
    private final Body crate = new Body();
    private Dyn4jWorldSimulation<Body> simulation = new Dyn4jWorldSimulation<>(world);
    private final CountDownLatch ticked = new CountDownLatch(3);
    private PhysicsService physics = serviceOf(simulation);

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
        crate.translate(0, 1);
        assertPageHas(failure());
    }

    @Test
    void shouldReportARemovedBodyThatIsAttached() throws Exception {
        run();
        commandAndWait(tick -> world.removeBody(crate));
        assertPageHas(failure());
    }

    @Test
    void shouldReportOfBodiesAndWorldsThatAreAttachedWrongly() {
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
        try (PhysicsService second = PhysicsService.builder(simulation).start()) {
            while (second.state() != ServiceState.FAILED) {
                Thread.onSpinWait();
            }
            assertPageHas(second.failure().orElseThrow());
        }
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

    private PhysicsService serviceOf(Dyn4jWorldSimulation<Body> around) {
        return PhysicsService.builder(around)
                .source(around.touchWatch())
                .with(new TickHook() {
                    @Override
                    public void published(TickTimes times) {
                        ticked.countDown();
                    }
                })
                .build();
    }

    private void run() throws InterruptedException {
        physics.start();
        assertThat(ticked.await(30, TimeUnit.SECONDS)).isTrue();
    }

    /** Returns the cause of the service's failure: commands fail with it. Until then each command waits for a tick. */
    private Throwable failure() {
        while (physics.failure().isEmpty()) {
            commandAndWait(tick -> tick);
        }
        return physics.failure().get();
    }

    /** Runs a command and waits until it ran, or can no longer run. */
    private void commandAndWait(Command<?> command) {
        physics.command(command).handle((answer, refusal) -> refusal).join();
    }

    private static void assertPageHas(ThrowingCallable misuse) {
        assertPageHas(catchThrowable(misuse));
    }

    private static void assertPageHas(Throwable thrown) {
        assertThat(thrown).isNotNull();
        // Hash codes differ in each run, and a body of dyn4j prints a thousand letters, so both are cut.
        String message = String.valueOf(thrown.getMessage())
                .replaceAll("@[0-9a-f]+", "@...")
                .replaceAll("Body\\[HashCode=.*GravityScale=1\\.0]", "Body[...]");
        assertThat(page()).contains(thrown.getClass().getSimpleName() + ": " + message);
    }

    private static String page() {
        try {
            return Files.readString(Path.of("../../physics-thread/docs/world.md"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
