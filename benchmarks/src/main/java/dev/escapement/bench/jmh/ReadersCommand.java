package dev.escapement.bench.jmh;

import dev.escapement.bench.measure.Median;
import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.Table;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.time.Pacer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.HdrHistogram.Histogram;
import picocli.CommandLine.Command;

/** {@code escapement readers}: what JMH cannot show. */
@Command(
        name = "readers",
        mixinStandardHelpOptions = true,
        description = {
            "Shows what a busy and a stalled reader do to the writer, for Escapement and for what people use today.",
            "Let nothing else run meanwhile; it takes two minutes."
        })
public final class ReadersCommand extends ConsoleCommand {

    private static final int ROUNDS = 10;
    private static final int BUSY_BODIES = 10_000;
    private static final int STALL_BODIES = 1_000;
    private static final long ROUND_NANOS = 300_000_000;
    private static final long STALL_NANOS = 1_000_000_000;

    private static final Table<Row> TABLE = new Table<Row>()
            .left("", row -> row.contestant().name().toLowerCase(Locale.ROOT))
            .right("busy: slowdown", row -> String.format(Locale.ROOT, "%.2f", row.slowdown()))
            .right("stalled: p50", row -> micros(row.stalled().publish.getValueAtPercentile(50)))
            .right("p99.9", row -> micros(row.stalled().publish.getValueAtPercentile(99.9)))
            .right("max", row -> micros(row.stalled().publish.getMaxValue()))
            .right("publishes", row -> count(row.stalled().publish.getTotalCount()))
            .right("refused", row -> count(row.stalled().refused));

    /** What became of the writer of a contestant: its slowdown by a busy reader, and its times under a stalled one. */
    private record Row(HandoffContestant contestant, double slowdown, WriterTimes stalled) {}

    @Override
    public Integer call() throws InterruptedException {
        List<Row> rows = new ArrayList<>();
        for (HandoffContestant contestant : HandoffContestant.values()) {
            rows.add(new Row(contestant, slowdownByBusyReader(contestant), underStalledReader(contestant)));
        }
        say(TABLE.text(rows));
        say("busy: the writer's median to fill and publish 10,000 bodies under a reader that never rests, over its"
                + " median without one; median of 10 rounds of both in turn. stalled: the writer's publish of"
                + " 1,000 bodies (us) in the half second after a reader stalled for a second.");
        return 0;
    }

    private static String micros(long nanos) {
        return String.format(Locale.ROOT, "%,.2f", nanos / 1e3);
    }

    private static String count(long value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    /** A writer that publishes at a steady rate and measures itself. One thread. */
    private static final class WriterTimes {

        private static final long MAX_NANOS = 60_000_000_000L;

        final Histogram fillAndPublish = new Histogram(MAX_NANOS, 3);
        final Histogram publish = new Histogram(MAX_NANOS, 3);
        long refused;

        /** Publishes without a pause for so long. */
        void publishFor(Handoff handoff, long nanos) {
            long end = System.nanoTime() + nanos;
            int value = 0;
            long now;
            do {
                long start = System.nanoTime();
                Poses.fill(handoff.begin(), value++ & 0xFFFF);
                long filled = System.nanoTime();
                if (!handoff.publish()) {
                    refused++;
                }
                now = System.nanoTime();
                publish.recordValue(Math.min(MAX_NANOS, now - filled));
                fillAndPublish.recordValue(Math.min(MAX_NANOS, now - start));
            } while (now - end < 0);
        }
    }

    private static double slowdownByBusyReader(HandoffContestant contestant) throws InterruptedException {
        roundMedian(contestant, true); // for the JIT compiler
        double[] ratios = new double[ROUNDS];
        for (int round = 0; round < ROUNDS; round++) {
            double alone = roundMedian(contestant, false);
            ratios[round] = roundMedian(contestant, true) / alone;
        }
        return Median.of(ratios);
    }

    private static WriterTimes underStalledReader(HandoffContestant contestant) throws InterruptedException {
        Handoff handoff = contestant.create(STALL_BODIES, 1);
        WriterTimes warmUp = new WriterTimes();
        CountDownLatch stalling = new CountDownLatch(1);
        Thread reader = new Thread(() -> stall(handoff, stalling), "stalled-reader");
        warmUp.publishFor(handoff, ROUND_NANOS);
        reader.start();
        stalling.await();
        WriterTimes times = new WriterTimes();
        times.publishFor(handoff, STALL_NANOS / 2);
        reader.join();
        return times;
    }

    private static void stall(Handoff handoff, CountDownLatch stalling) {
        handoff.stall(handoff.newReader(), () -> {
            stalling.countDown();
            Pacer.system().awaitUntil(System.nanoTime() + STALL_NANOS);
        });
    }

    private static double roundMedian(HandoffContestant contestant, boolean withReader) throws InterruptedException {
        Handoff handoff = contestant.create(BUSY_BODIES, 1);
        AtomicBoolean running = new AtomicBoolean(true);
        AtomicInteger sum = new AtomicInteger();
        Thread reader = new Thread(() -> sum.set(readWhile(running, handoff.newReader())), "busy-reader");
        if (withReader) {
            reader.start();
        }
        WriterTimes times = new WriterTimes();
        times.publishFor(handoff, ROUND_NANOS);
        running.set(false);
        reader.join();
        return times.fillAndPublish.getValueAtPercentile(50);
    }

    private static int readWhile(AtomicBoolean running, Handoff.Reader reader) {
        int bits = 0;
        while (running.get()) {
            PoseBlocks latest = reader.acquire();
            if (latest != null) {
                bits ^= Poses.read(latest);
            }
        }
        return bits;
    }
}
