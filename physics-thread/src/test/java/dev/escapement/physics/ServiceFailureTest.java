package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.PhysicsService.State;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of a service whose simulation, or listener, or command goes wrong; every wait is for an event. */
@Timeout(60)
class ServiceFailureTest {

    private static final int LAST_GOOD_TICK = 6;

    private final IllegalStateException cause = new IllegalStateException("bodies overlap");

    @Test
    void shouldFailWhenAListenerThrows() throws Exception {
        ScriptedSimulation simulation = ScriptedSimulation.good();
        PhysicsService service = builder(simulation)
                .listener((tick, due, started, stepped, published) -> {
                    if (tick == LAST_GOOD_TICK) {
                        throw cause;
                    }
                })
                .start();
        SnapshotReader reader = service.newReader();
        simulation.closed.await();
        service.close();
        assertThat(service.state()).isEqualTo(State.FAILED);
        assertThat(service.failure()).containsSame(cause);
        reader.acquire();
        assertThat(reader.window().newestTick()).isEqualTo(LAST_GOOD_TICK);
    }

    @Test
    void shouldSurviveCommandsThatThrowWhatever() throws Exception {
        PhysicsService service = builder(ScriptedSimulation.good()).start();
        for (Throwable thrown : new Throwable[] {cause, new StackOverflowError(), new Exception("checked")}) {
            CompletableFuture<?> failing = service.command(tick -> {
                ServiceFailureTest.<RuntimeException>sneak(thrown);
                return tick;
            });
            assertThat(Await.failure(failing)).isSameAs(thrown);
        }
        Await.get(service.query(tick -> tick));
        assertThat(service.state()).isEqualTo(State.RUNNING);
        service.close();
    }

    @Test
    void shouldFailWithAnErrorToo() throws Exception {
        ScriptedSimulation simulation = new ScriptedSimulation(tick -> {
            throw new StackOverflowError();
        });
        PhysicsService service = builder(simulation).start();
        simulation.closed.await();
        service.close();
        assertThat(service.failure()).containsInstanceOf(StackOverflowError.class);
    }

    @Test
    void shouldKeepGoingWhenEverythingIsNotANumber() throws Exception {
        PhysicsService service = builder(new ScriptedSimulation(tick -> {}) {
                    @Override
                    public void capture(PoseWriter poses) {
                        float nan = Float.NaN;
                        poses.bodyCount(1);
                        poses.set(0, nan, nan, nan, nan, nan, nan, nan);
                    }
                })
                .start();
        Await.tickAfter(service, 10);
        assertThat(service.state()).isEqualTo(State.RUNNING);
        assertThat(service.quarantinedPoses()).isGreaterThanOrEqualTo(10);
        service.close();
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void sneak(Throwable thrown) throws E {
        throw (E) thrown;
    }

    private static PhysicsServiceBuilder builder(Simulation simulation) {
        return PhysicsService.builder(simulation).rate(TickRate.hertz(2000));
    }
}
