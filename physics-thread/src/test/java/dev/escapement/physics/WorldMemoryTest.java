package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.escapement.state.time.ManualClock;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.Test;

/** Bounds the memory of one world. A process may have a thousand of them. */
class WorldMemoryTest {

    /**
     * The least of 50 measurements counts, because some include class loading or compilation. An input ring or metric rows would exceed the
     * bound.
     */
    @Test
    void shouldTakeLittleWithoutInputAndInstruments() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long leastBytes = Long.MAX_VALUE;
        for (int i = 0; i < 50; i++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            tickOneWorld();
            leastBytes = Math.min(leastBytes, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(leastBytes).isBetween(1L, 150_000L);
    }

    private static void tickOneWorld() {
        ManualClock clock = new ManualClock(0);
        try (InlineDriver driver = PhysicsService.builder(ScriptedSimulation.good())
                .windowSize(3)
                .maxReaders(4)
                .inline(clock)) {
            assertThat(driver.newReader()).isNotNull();
            for (int tick = 0; tick < 32; tick++) {
                clock.advance(10_000_000);
                driver.runDueTicks();
            }
        }
    }
}
