package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.thread.ThreadPolicy;
import java.io.File;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A game starts a service for each level. What is closed leaves nothing, also with a thread policy. */
class ClosedServicesTest {

    private static final int SERVICES = 20;

    /** Hooks, beans, statics and thread locals would keep the simulation, with its service. */
    @Test
    void noThreadNoFileNoMemoryAndNoReferenceIsLeft() throws InterruptedException {
        runOne(); // what is loaded once stays
        Set<Thread> threads = Thread.getAllStackTraces().keySet();
        int files = openFiles();
        long buffers = directBuffers();
        List<WeakReference<Object>> closed = new ArrayList<>();
        for (int i = 0; i < SERVICES; i++) {
            closed.addAll(runOne());
        }
        Set<Thread> left = new HashSet<>(Thread.getAllStackTraces().keySet());
        left.removeAll(threads);
        left.removeIf(thread -> !thread.getName().startsWith("escapement"));
        for (Thread thread : left) {
            thread.join(20_000); // the one that completes answers may be about to end
        }
        assertThat(left).noneMatch(Thread::isAlive);
        // Buffers are freed by a thread of the JVM, some time after the collection that finds them.
        for (int look = 0; look < 100 && (isAnyLeft(closed) || directBuffers() >= buffers + SERVICES); look++) {
            System.gc();
        }
        assertThat(closed).hasSize(2 * SERVICES).allMatch(object -> object.refersTo(null));
        assertThat(openFiles()).isLessThan(files + SERVICES);
        assertThat(directBuffers()).isLessThan(buffers + SERVICES);
    }

    /** A running service and its simulation, once they are closed. */
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

    private static boolean isAnyLeft(List<WeakReference<Object>> closed) {
        return closed.stream().anyMatch(object -> !object.refersTo(null));
    }

    /** Of Linux; elsewhere 0. */
    private static int openFiles() {
        @Nullable String[] open = new File("/proc/self/fd").list();
        return open == null ? 0 : open.length;
    }

    private static long directBuffers() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .mapToLong(BufferPoolMXBean::getCount)
                .sum();
    }
}
