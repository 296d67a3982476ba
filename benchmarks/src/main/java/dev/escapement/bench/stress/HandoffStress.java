package dev.escapement.bench.stress;

import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * One writer publishes as fast as it can, readers take windows at paces of their own: without a pause, with pauses, with
 * garbage, holding a window for long, detaching and attaching again. Each of the 259 floats of every snapshot of every window
 * is verified by checksum after the window's last use, each window's ticks and freshness too.
 */
public final class HandoffStress {

    private static final int BODIES = 37;
    private static final int WINDOW_SIZE = 3;

    /** A fault planted on purpose, to see that it is found. */
    public enum Plant {
        /** Nothing: this is the test. */
        NONE,
        /** Now and then the writer writes into the snapshot it published last. */
        WRITE_AFTER_PUBLISH
    }

    private final int readers;
    private final long seed;
    private final Plant plant;

    // The newest tick whose publish is complete: what a fresh window must hold at least. Release and acquire, so that
    // seeing the number implies that the publish before it is visible too.
    private final AtomicLong published = new AtomicLong();

    /** A test with so many readers, the same random choices for the same seed. */
    public HandoffStress(int readers, long seed, Plant plant) {
        if (readers < 1 || readers > 8) {
            throw new IllegalArgumentException("between 1 and 8 readers are possible, not " + readers);
        }
        this.readers = readers;
        this.seed = seed;
        this.plant = plant;
    }

    /**
     * Publishes from this thread until all is done.
     *
     * @param handoffs how many snapshots to publish
     * @param progress told now and then how many have been
     * @return what the readers found
     */
    public Findings run(long handoffs, LongConsumer progress) throws InterruptedException {
        Timeline timeline = new Timeline(TickRate.hertz(100));
        timeline.start(0);
        SnapshotExchange exchange = new SnapshotExchange(WINDOW_SIZE, readers, BODIES, timeline.rate());
        ExecutorService threads = Executors.newFixedThreadPool(readers);
        List<Future<Findings>> reading = new ArrayList<>();
        for (int i = 0; i < readers; i++) {
            StressReader reader = new StressReader(exchange, StressReader.Pace.of(i), seed + i, published, handoffs);
            reading.add(threads.submit(reader));
        }
        publish(exchange.writer(), timeline, handoffs, progress);
        Findings all = Findings.none();
        try {
            for (Future<Findings> findings : reading) {
                all = all.and(findings.get());
            }
        } catch (ExecutionException e) {
            throw new IllegalStateException("a reader failed: " + e.getCause(), e.getCause());
        } finally {
            threads.shutdownNow();
        }
        return all;
    }

    private void publish(SnapshotWriter writer, Timeline timeline, long handoffs, LongConsumer progress) {
        SplittableRandom random = new SplittableRandom(seed - 1);
        for (long tick = 1; tick <= handoffs; tick++) {
            Snapshot snapshot = writer.begin();
            snapshot.begin(tick, tick);
            fill(snapshot.poses(), tick);
            snapshot.seal();
            writer.publish(timeline, tick);
            published.setRelease(tick);
            writer.checkInvariants();
            // The last but one is in the last window, which every reader takes, however the threads are scheduled.
            if (plant == Plant.WRITE_AFTER_PUBLISH && (tick % 1024 == 0 || tick == handoffs - 1)) {
                snapshot.poses().block(0).qw[random.nextInt(BODIES)] = -1;
            }
            if ((tick & 0xFFFF) == 0) {
                progress.accept(tick);
            }
        }
        progress.accept(handoffs);
    }

    private static void fill(PoseBlocks poses, long tick) {
        poses.resize(BODIES);
        float value = tick & 0xFFFF;
        for (int body = 0; body < BODIES; body++) {
            poses.block(0).set(body, value, value + 1, value + 2, value + 3, value + 4, value + 5, value + body);
        }
    }
}
