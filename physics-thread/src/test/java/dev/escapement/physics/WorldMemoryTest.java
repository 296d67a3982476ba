package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.ManualClock;
import java.lang.management.ManagementFactory;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What a world costs besides the snapshots of its bodies: a process may have a thousand. */
class WorldMemoryTest {

    private static final long TICK_NANOS = 10_000_000;
    private static final int READERS = 4;
    private static final int WINDOW = 3;
    private static final int SNAPSHOTS = (READERS + 1) * WINDOW + 1;
    private static final long MOST_BYTES = 100_000;
    private static final int BUILDS = 50;

    @Test
    void shouldCostLittleWithoutInputAndInstruments() {
        assertThat(bytesBesidesSnapshots(PoseLayout.PLAIN, world -> {})).isBetween(1L, MOST_BYTES);
    }

    @Test
    void shouldMakeTheInputRingAtTheFirstOffer() {
        assertThat(bytesBesidesSnapshots(
                        PoseLayout.PLAIN, world -> world.input().offer(0, InputKind.KEY_DOWN, 1, 0, 0)))
                .isGreaterThan(500_000);
    }

    @Test
    void shouldMakeTheRowsOfTicksWhenAnInstrumentAsks() {
        assertThat(bytesBesidesSnapshots(PoseLayout.PLAIN, TickingWorld::tickMetrics))
                .isGreaterThan(150_000);
    }

    /** Of a service before its start, and of a driver with ticks, whose loop is that of a service: the larger one. */
    private static long bytesBesidesSnapshots(PoseLayout layout, Consumer<TickingWorld> use) {
        long snapshots = SNAPSHOTS * leastBytes(() -> new WritableSnapshot(1, layout));
        long built = leastBytes(() -> {
            PhysicsService service = builder(layout).preallocate(1).build();
            attachAll(service);
            use.accept(service);
            service.close();
        });
        long ticked = leastBytes(() -> {
            ManualClock clock = new ManualClock(0);
            InlineDriver driver = builder(layout).inline(clock);
            attachAll(driver);
            use.accept(driver);
            for (int tick = 0; tick < 2 * SNAPSHOTS; tick++) {
                clock.advance(TICK_NANOS);
                driver.runDueTicks();
            }
            driver.close();
        });
        return Math.max(built, ticked) - snapshots;
    }

    private static PhysicsServiceBuilder builder(PoseLayout layout) {
        return PhysicsService.builder(ScriptedSimulation.good())
                .layout(layout)
                .windowSize(WINDOW)
                .maxReaders(READERS);
    }

    private static void attachAll(TickingWorld world) {
        for (int reader = 0; reader < READERS; reader++) {
            assertThat(world.newReader()).isNotNull();
        }
    }

    /** What this thread allocates for it, garbage included. The least of many, because others load classes or compile. */
    private static long leastBytes(Runnable build) {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < BUILDS; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            build.run();
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }
}
