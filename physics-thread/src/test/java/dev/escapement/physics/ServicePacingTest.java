package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real thread; every wait is for an event, never for a time. */
@Timeout(60)
class ServicePacingTest {

    private static final int TICKS = 20;

    private final CountDownLatch ticks = new CountDownLatch(TICKS);
    private final WatchedWaiter waiter = new WatchedWaiter();

    /** Which comes first depends on when the thread starts; that a wait ends spinning is PacerTest's. */
    @Test
    void shouldParkAndSpinBetweenTicksByDefault() throws Exception {
        try (PhysicsService service = builder().start()) {
            waiter.parked.await();
            waiter.spun.await();
            assertThat(service.failure()).isEmpty();
        }
    }

    @Test
    void shouldNeverSpinWhereItIsToParkOnly() throws Exception {
        try (PhysicsService service =
                builder().waitStrategy(WaitStrategy.PARK_ONLY).start()) {
            ticks.await();
            assertThat(service.failure()).isEmpty();
        }
        assertThat(waiter.parks).hasValueGreaterThanOrEqualTo(TICKS);
        assertThat(waiter.spun.getCount()).as("1 until something spins").isEqualTo(1);
    }

    private PhysicsServiceBuilder builder() {
        PhysicsServiceBuilder builder = PhysicsService.builder(new ScriptedSimulation(tick -> ticks.countDown()))
                .rate(TickRate.hertz(1000));
        builder.settings.waiter = waiter;
        return builder;
    }

    /** Every park ends at once, so that each wait comes to its last moments, with any timer of the machine. */
    private static final class WatchedWaiter implements Waiter {

        private final AtomicLong parks = new AtomicLong();
        private final CountDownLatch parked = new CountDownLatch(1);
        private final CountDownLatch spun = new CountDownLatch(1);

        @Override
        public void park(long nanos) {
            parks.incrementAndGet();
            parked.countDown();
        }

        @Override
        public void spin() {
            spun.countDown();
        }
    }
}
