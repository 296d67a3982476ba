package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Event;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** With the collector of this JVM, whichever it is. */
@Timeout(60)
class MachineRowsTest {

    private static final long SLACK_NANOS =
            100_000; // between the readings of the recorder's clock and ours, in the best of several

    /** A pause that is this much shorter than the call says little: one at a wrong time fits in, too. */
    private static final long MAX_REST_NANOS = 2_000_000;

    private final List<long[]> askedNanos = new ArrayList<>();

    /** An event of an application, to be left off. */
    private static final class OfAnApplication extends Event {}

    @Test
    void shouldReportWhenThePauseWasByTheClockAndSwitchOnNothingElse() throws Exception {
        OfAnApplication before = new OfAnApplication();
        long startNanos = System.nanoTime();
        MachineRows machine = new MachineRows(startNanos);
        machine.watch(true);
        List<PageMessage> messages = new ArrayList<>();
        try {
            while (messages.stream().noneMatch(this::hasPauseThatWasAskedFor)) {
                long fromNanos = System.nanoTime() - startNanos; // the recorder may begin a little later
                System.gc();
                askedNanos.add(new long[] {fromNanos, System.nanoTime() - startNanos});
                TimeUnit.MILLISECONDS.sleep(100); // no thread of the recorder runs while the JVM collects
                messages.clear();
                machine.take(messages);
            }
            assertThat(before.isEnabled()).isFalse();
        } finally {
            machine.close();
        }
    }

    private boolean hasPauseThatWasAskedFor(PageMessage message) {
        return ((PageMessage.Machine) message)
                .pauses().stream()
                        .map(Object[].class::cast)
                        .anyMatch(pause -> askedNanos.stream()
                                .anyMatch(asked -> asked[0] - (long) pause[0] < SLACK_NANOS
                                        && (long) pause[1] - asked[1] < SLACK_NANOS
                                        && asked[1] - asked[0] - ((long) pause[1] - (long) pause[0]) < MAX_REST_NANOS
                                        && !((String) pause[2]).isEmpty()));
    }
}
