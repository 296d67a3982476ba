package dev.escapement.bench.stress.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PollingTest {

    /** Each look wakes a thread: dozens that look often take the cores from what they wait for. */
    @Test
    void shouldLookAThousandTimesAtMost() {
        AtomicInteger looks = new AtomicInteger();
        assertThat(Polling.await(TimeUnit.SECONDS.toNanos(1), () -> looks.incrementAndGet() < 0))
                .isFalse();
        assertThat(looks).hasValueBetween(2, 1_002);
    }

    @Test
    void shouldPassTheWholeTime() {
        long fromNanos = System.nanoTime();
        Polling.pass(TimeUnit.MILLISECONDS.toNanos(20));
        assertThat(System.nanoTime() - fromNanos).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(20));
    }
}
