package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.time.TickRate;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Rounds of real threads: restarts against each other, and against readers that come and go. Every simulation fails at once. */
@Timeout(60)
class RestartRaceTest {

    private static final long ROUNDS_NANOS = TimeUnit.MILLISECONDS.toNanos(800);

    private final ExecutorService other = Executors.newSingleThreadExecutor();
    private final PhysicsService service =
            PhysicsService.builder(failing()).rate(TickRate.hertz(100_000)).start();

    @AfterEach
    void close() {
        other.shutdownNow();
        service.close();
    }

    /** Who comes too late is told so, and the simulation that it brought can still be used. */
    @Test
    void shouldGoOnWithOneOfTwoSimulations() throws Exception {
        CyclicBarrier together = new CyclicBarrier(2);
        long end = System.nanoTime() + ROUNDS_NANOS;
        do {
            Await.state(service, ServiceState.FAILED);
            Simulation mine = failing();
            Simulation theirs = failing();
            Future<Boolean> others = other.submit(() -> {
                together.await();
                return restart(theirs);
            });
            together.await();
            boolean first = restart(mine);
            boolean second = others.get();
            assertThat(first || second).isTrue();
            if (first != second) {
                Await.state(service, ServiceState.FAILED);
                assertThat(restart(first ? theirs : mine)).as("not used up").isTrue();
            }
        } while (System.nanoTime() < end);
    }

    @Test
    void shouldAttachReadersWhileTheyAreMoved() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        Future<?> attaching = other.submit(() -> {
            while (!over.get() && !Thread.interrupted()) {
                service.newReader().close();
            }
        });
        long end = System.nanoTime() + ROUNDS_NANOS;
        do {
            Await.state(service, ServiceState.FAILED);
            service.restart(failing());
        } while (System.nanoTime() < end && !attaching.isDone());
        over.set(true);
        attaching.get();
    }

    private boolean restart(Simulation simulation) {
        try {
            service.restart(simulation);
            return true;
        } catch (IllegalStateException e) {
            assertThat(e).hasMessageStartingWith("only a service that has failed");
            return false;
        }
    }

    private static ScriptedSimulation failing() {
        return ScriptedSimulation.failingFrom(0, new IllegalStateException("bodies overlap"));
    }
}
