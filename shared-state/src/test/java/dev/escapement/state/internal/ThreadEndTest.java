package dev.escapement.state.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ThreadEndTest {

    private static final long HOUR_NANOS = TimeUnit.HOURS.toNanos(1);

    @Test
    void shouldWaitForAThreadsEndThoughInterrupted() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        Thread thread = new Thread(() -> {
            try {
                mayEnd.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        thread.start();
        assertThat(ThreadEnd.await(thread, 1)).as("not yet").isFalse();
        Thread.currentThread().interrupt();
        mayEnd.countDown();
        assertThat(ThreadEnd.await(thread, HOUR_NANOS)).isTrue();
        assertThat(Thread.interrupted()).as("the interrupt is not lost").isTrue();
        assertThat(ThreadEnd.await(Thread.currentThread(), HOUR_NANOS)).isFalse();
    }
}
