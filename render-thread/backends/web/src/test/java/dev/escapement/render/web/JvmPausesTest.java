package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import jdk.jfr.Event;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With the collector of this JVM, whichever it is. */
@Timeout(60)
class JvmPausesTest {

    /** An event of an application, to be left off. */
    private static final class OfAnApplication extends Event {}

    @Test
    void shouldReportWhenThePauseWasByTheClockAndSwitchOnNothingElse() throws Exception {
        OfAnApplication before = new OfAnApplication();
        long slack = 100_000; // the recorder's clock and ours are read one after the other
        AtomicLongArray askedNanos = new AtomicLongArray(2);
        CountDownLatch reported = new CountDownLatch(1);
        JvmPauses pauses = JvmPauses.start((fromNanos, toNanos, name) -> {
            boolean wasAskedFor = fromNanos - askedNanos.get(0) > -slack && askedNanos.get(1) - toNanos > -slack;
            if (wasAskedFor && !name.isEmpty()) {
                reported.countDown();
            }
        });
        try {
            do { // the recorder may begin a little later, and reports once a second
                askedNanos.set(0, System.nanoTime());
                System.gc();
                askedNanos.set(1, System.nanoTime());
            } while (!reported.await(3, TimeUnit.SECONDS));
            assertThat(before.isEnabled()).isFalse();
        } finally {
            pauses.close();
        }
    }
}
