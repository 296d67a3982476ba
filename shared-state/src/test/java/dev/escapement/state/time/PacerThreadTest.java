package dev.escapement.state.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real threads; every wait is for an event that comes, never for a time. */
@Timeout(60)
class PacerThreadTest {

    private static final long HOUR_NANOS = 3_600_000_000_000L;

    @Test
    void shouldWakeAParkedThreadWhenCancelled() throws Exception {
        CountDownLatch parking = new CountDownLatch(1);
        Pacer pacer = new Pacer(NanoClock.system(), new Announcing(parking));
        CompletableFuture<Boolean> waited = new CompletableFuture<>();
        Thread thread = new Thread(() -> waited.complete(pacer.awaitUntil(System.nanoTime() + HOUR_NANOS)));
        thread.start();
        parking.await();
        pacer.cancel();
        assertThat(waited.get()).isFalse();
    }

    @Test
    void shouldParkAgainWithAnInterruptPending() throws Exception {
        AtomicLong parks = new AtomicLong();
        ManualClock clock = new ManualClock(0);
        Pacer pacer = new Pacer(clock, new Waiter() {
            @Override
            public void park(long nanos) {
                parks.incrementAndGet();
                // As parkNanos does: returns at once while an interrupt is pending.
                if (!Thread.currentThread().isInterrupted()) {
                    clock.advance(nanos);
                }
            }

            @Override
            public void spin() {
                clock.advance(1);
            }
        });
        Thread.currentThread().interrupt();
        assertThat(pacer.awaitUntil(10_000_000)).isTrue();
        assertThat(parks).hasValue(2);
        assertThat(Thread.interrupted()).as("the interrupt is not lost").isTrue();
    }

    /** Parks for real, and signals that before. */
    private record Announcing(CountDownLatch parking) implements Waiter {
        @Override
        public void park(long nanos) {
            parking.countDown();
            Waiter.super.park(nanos);
        }
    }
}
