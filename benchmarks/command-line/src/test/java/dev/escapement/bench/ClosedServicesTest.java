package dev.escapement.bench;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.replay.StateHistory;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.thread.ThreadPolicy;
import java.io.File;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A game starts a service for each level. What is closed leaves nothing, also with a thread policy. */
class ClosedServicesTest {

    private static final int SERVICES = 20;

    /** Hooks, beans, statics and thread locals would keep the simulation, with its service. */
    @Test
    void noThreadNoFileNoMemoryAndNoReferenceIsLeft() {
        runOne(); // what is loaded once stays
        List<String> threads = threads();
        int files = openFiles();
        long buffers = directBuffers();
        List<WeakReference<Object>> closed = new ArrayList<>();
        for (int i = 0; i < SERVICES; i++) {
            closed.addAll(runOne());
        }
        for (int look = 0; look < 100 && closed.stream().anyMatch(left -> !left.refersTo(null)); look++) {
            System.gc();
        }
        assertThat(closed).hasSize(2 * SERVICES).allMatch(left -> left.refersTo(null));
        assertThat(threads()).isEqualTo(threads);
        assertThat(openFiles()).isLessThan(files + SERVICES);
        assertThat(directBuffers()).isLessThan(buffers + SERVICES);
    }

    /** A running service and its simulation, once they are closed. */
    private static List<WeakReference<Object>> runOne() {
        SpringSimulation simulation = new SpringSimulation(3);
        PhysicsService service = PhysicsService.builder(simulation)
                .threadPolicy(ThreadPolicy.realTime())
                .history(StateHistory.ofTicks(10))
                .start();
        try (SnapshotReader reader = service.newReader()) {
            service.input().offer(System.nanoTime(), InputKind.KEY_DOWN, 1, 0, 0);
            assertThat(service.query(tick -> tick).join()).isNotNull();
            reader.acquire();
        }
        service.close();
        return List.of(new WeakReference<>(simulation), new WeakReference<>(service));
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("escapement"))
                .sorted()
                .toList();
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
