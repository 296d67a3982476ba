package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.thread.ThreadPolicy;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Closed services leave nothing behind, also with a thread policy. A game starts a service for each level. */
class ClosedServicesTest {

    private static final int SERVICES = 20;

    /** Finds hooks, beans, statics and thread locals that would keep the simulation and its service. */
    @Test
    void noThreadAndNoReferenceIsLeft() throws InterruptedException {
        runOne(); // classes that are loaded once stay
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        List<WeakReference<Object>> closed = new ArrayList<>();
        for (int i = 0; i < SERVICES; i++) {
            closed.addAll(runOne());
        }
        Set<Thread> left = new HashSet<>(Thread.getAllStackTraces().keySet());
        left.removeAll(before);
        left.removeIf(thread -> !thread.getName().startsWith("escapement"));
        for (Thread thread : left) {
            thread.join(20_000); // the thread that completes answers may be about to end
        }
        assertThat(left).noneMatch(Thread::isAlive);
        for (int look = 0; look < 100 && !closed.stream().allMatch(object -> object.refersTo(null)); look++) {
            System.gc();
        }
        assertThat(closed).hasSize(2 * SERVICES).allMatch(object -> object.refersTo(null));
    }

    /** Runs a service and closes it; returns references to the service and its simulation. */
    private static List<WeakReference<Object>> runOne() {
        SpringSimulation simulation = new SpringSimulation(3);
        PhysicsService service = PhysicsService.builder(simulation)
                .threadPolicy(ThreadPolicy.realTime())
                .with(StateHistory.ofTicks(10))
                .start();
        try (SnapshotReader reader = service.newReader()) {
            service.input().offer(System.nanoTime(), InputKind.KEY_DOWN, 1, 0, 0);
            assertThat(service.query(tick -> tick).join()).isNotNull();
            reader.acquire();
        }
        service.close();
        return List.of(new WeakReference<>(simulation), new WeakReference<>(service));
    }
}
