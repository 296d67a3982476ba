package dev.escapement.bench.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.time.ManualClock;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.junit.jupiter.api.Test;

/** What listening to Jolt's contacts costs. */
class JoltContactsTest {

    private static final long TICK_NANOS = 10_000_000;

    /** The JVM may start some of its own meanwhile. */
    private static final int FEW = 10;

    private final ManualClock clock = new ManualClock(0);

    @Test
    void listeningMakesNoJavaThreadsOfWorkers() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        try (InlineDriver driver =
                PhysicsService.builder(new JoltPile(new BoxPile(500))).inline(clock)) {
            EventStream events = driver.events(64);
            tick(driver, 1);
            events.close(); // the listener stays, and so does what it costs
            long before = threads.getTotalStartedThreadCount();
            tick(driver, 150);
            assertThat(threads.getTotalStartedThreadCount() - before).isLessThan(FEW);
        }
    }

    @Test
    void worldsThatListenComeAndGo() {
        for (int round = 0; round < 20; round++) {
            try (InlineDriver driver =
                    PhysicsService.builder(new JoltPile(new BoxPile(10))).inline(clock)) {
                if (round % 2 == 0) {
                    driver.events(64);
                }
                tick(driver, 1);
            }
        }
    }

    private void tick(InlineDriver driver, int ticks) {
        clock.advance(ticks * TICK_NANOS);
        assertThat(driver.runDueTicks()).isEqualTo(ticks);
    }
}
