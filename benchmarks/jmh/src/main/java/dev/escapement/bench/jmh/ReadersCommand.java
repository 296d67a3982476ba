package dev.escapement.bench.jmh;

import dev.escapement.bench.jmh.HandoffContestant.Handoff;
import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.Table;
import dev.escapement.state.time.Pacer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;

/** {@code escapement bench readers}: the effect of a stalled reader, which JMH cannot measure. */
@Command(
        name = "readers",
        description = {
            "Measures the effect of a stalled reader on the writer, for Escapement and for a queue.",
            "Let nothing else run meanwhile; it takes three seconds."
        })
public final class ReadersCommand extends ConsoleCommand {

    private static final int BODIES = 1_000;
    private static final long WARM_UP_NANOS = 300_000_000;
    private static final long STALL_NANOS = 1_000_000_000;

    private static final Table<Writer> TABLE = new Table<Writer>()
            .left("", writer -> writer.contestant.name().toLowerCase(Locale.ROOT))
            .right("stalled: p50", writer -> format("%,.2f", writer.publish.getValueAtPercentile(50) / 1e3))
            .right("p99.9", writer -> format("%,.2f", writer.publish.getValueAtPercentile(99.9) / 1e3))
            .right("max", writer -> format("%,.2f", writer.publish.getMaxValue() / 1e3))
            .right("publishes", writer -> format("%,d", writer.publish.getTotalCount()))
            .right("refused", writer -> format("%,d", writer.refused));

    @Override
    public Integer call() throws InterruptedException {
        List<Writer> writers = new ArrayList<>();
        for (HandoffContestant contestant : HandoffContestant.values()) {
            Writer writer = new Writer(contestant);
            writer.runUnderStalledReader();
            writers.add(writer);
        }
        say(TABLE.text(writers));
        say("The writer's publish of 1,000 bodies (us) in the half second after its reader stalled for a second while"
                + " holding snapshots. refused: ticks that could not be handed over.");
        return 0;
    }

    private static String format(String format, Object metric) {
        return String.format(Locale.ROOT, format, metric);
    }

    /** A writer that publishes without a pause and measures itself. */
    private static final class Writer {

        private final HandoffContestant contestant;
        private final Handoff handoff;
        private final Histogram publish = new Histogram(3);
        private long refused;

        Writer(HandoffContestant contestant) {
            this.contestant = contestant;
            handoff = contestant.create(BODIES);
        }

        void runUnderStalledReader() throws InterruptedException {
            publishFor(WARM_UP_NANOS);
            CountDownLatch stalling = new CountDownLatch(1);
            Thread reader = new Thread(() -> stall(stalling), "stalled-reader");
            reader.start();
            stalling.await();
            publish.reset();
            refused = 0;
            publishFor(STALL_NANOS / 2);
            reader.join();
        }

        private void publishFor(long nanos) {
            long endNanos = System.nanoTime() + nanos;
            long nowNanos = System.nanoTime();
            for (int value = 0; nowNanos - endNanos < 0; value++) {
                PoseArrays.fill(handoff.begin(), value & 0xFFFF);
                long filledNanos = System.nanoTime();
                if (!handoff.publish()) {
                    refused++;
                }
                nowNanos = System.nanoTime();
                publish.recordValue(nowNanos - filledNanos);
            }
        }

        private void stall(CountDownLatch stalling) {
            handoff.acquire();
            stalling.countDown();
            Pacer.system().awaitUntil(System.nanoTime() + STALL_NANOS);
        }
    }
}
