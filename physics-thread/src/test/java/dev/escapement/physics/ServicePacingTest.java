package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

    @ParameterizedTest
    @CsvSource({"PARK_ONLY, 0.02", "PARK_THEN_SPIN, 0"})
    void shouldNeverSpinWhereItIsToParkOnlyOrForAShareOfNothing(WaitStrategy pacing, double share) throws Exception {
        try (PhysicsService service =
                builder().waitStrategy(pacing).spinShare(share).start()) {
            ticks.await();
            assertThat(service.failure()).isEmpty();
        }
        assertThat(waiter.parks).hasValueGreaterThanOrEqualTo(TICKS);
        assertThat(waiter.spun.getCount()).as("1 until something spins").isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.5, 1.5, Double.NaN})
    void shouldRefuseAShareThatIsNone(double share) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().spinShare(share).build())
                .withMessage("the share of a core to spin must be within 0 and 1, but is " + share
                        + "; the default is 0.02");
    }

    private PhysicsServiceBuilder builder() {
        PhysicsServiceBuilder builder = PhysicsService.builder(new ScriptedSimulation(tick -> ticks.countDown()))
                .rate(TickRate.hertz(1000));
        builder.waiter = waiter;
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
