package dev.escapement.bench.stress;

import dev.escapement.bench.handoff.Contestant;
import dev.escapement.bench.handoff.Handoff;
import dev.escapement.bench.handoff.Poses;
import dev.escapement.bench.measure.Median;
import dev.escapement.state.time.Pacer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** What a reader can do to a writer, and how the writer's times show it. */
final class ReaderScenarios {

    private static final int BUSY_BODIES = 10_000;
    private static final int STALL_BODIES = 1_000;
    private static final long ROUND_NANOS = 300_000_000;
    private static final long STALL_NANOS = 1_000_000_000;

    private ReaderScenarios() {}

    /**
     * The writer's median time to fill and publish 10,000 bodies under a reader that never rests, over its median without any
     * reader: rounds of both in turn, the median of their ratios.
     */
    static double slowdownByBusyReader(Contestant contestant, int rounds) throws InterruptedException {
        roundMedian(contestant, true); // for the JIT compiler
        double[] ratios = new double[rounds];
        for (int round = 0; round < rounds; round++) {
            double alone = roundMedian(contestant, false);
            ratios[round] = roundMedian(contestant, true) / alone;
        }
        return Median.of(ratios);
    }

    /** The writer's times while a reader stalls for a second. */
    static WriterTimes underStalledReader(Contestant contestant) throws InterruptedException {
        Handoff handoff = contestant.create(STALL_BODIES, 1);
        WriterTimes warmUp = new WriterTimes();
        CountDownLatch stalling = new CountDownLatch(1);
        Thread reader = new Thread(() -> stall(handoff.newReader(), stalling), "stalled-reader");
        warmUp.publishFor(handoff, ROUND_NANOS);
        reader.start();
        stalling.await();
        WriterTimes times = new WriterTimes();
        times.publishFor(handoff, STALL_NANOS / 2);
        reader.join();
        return times;
    }

    private static void stall(Handoff.Reader reader, CountDownLatch stalling) {
        reader.stallWhile(() -> {
            stalling.countDown();
            Pacer.system().awaitUntil(System.nanoTime() + STALL_NANOS);
        });
    }

    private static double roundMedian(Contestant contestant, boolean withReader) throws InterruptedException {
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
            if (reader.acquire()) {
                bits ^= Poses.read(reader.poses());
            }
        }
        return bits;
    }
}
