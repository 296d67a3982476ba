package dev.escapement.bench.jmh;

import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.Timeline;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.jctools.queues.varhandle.SpscVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures a handoff between two busy threads. The writer fills all poses and publishes without a pause; the reader acquires without a
 * pause and reads all poses of each new window. With 0 bodies only the handover is measured. Not measured here are handoffs by
 * a lock, by a new snapshot object for each tick, by a linked queue and by the Disruptor: in version 0.2.0 they took at least twice as
 * long, see {@code results/core.md}.
 */
@State(Scope.Group)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HandoffContendedBenchmark {

    /** The compared handoffs: the exchange with windows of three snapshots, and the fastest of the common handoffs. */
    public enum Contestant {
        ESCAPEMENT,
        JCTOOLS
    }

    @Param
    Contestant contestant = Contestant.ESCAPEMENT;

    @Param({"0", "1000", "10000"})
    int bodies;

    private @Nullable Handoff handoff;
    private int value;

    @Setup
    public void create() {
        handoff = contestant == Contestant.ESCAPEMENT ? new Exchange(bodies) : new JctoolsQueue(bodies);
    }

    @Benchmark
    @Group("oneReader")
    public boolean oneReaderWrite() {
        Handoff to = Objects.requireNonNull(handoff);
        PoseArrays.fill(to.begin(), value++);
        return to.publish();
    }

    @Benchmark
    @Group("oneReader")
    public int oneReaderRead() {
        PoseBlocks latest = Objects.requireNonNull(handoff).acquire();
        return latest == null ? 0 : PoseArrays.read(latest);
    }

    /** Hands the poses of all bodies from one writer thread to one reader thread, which only needs the latest poses. */
    private interface Handoff {

        /** Returns the poses that the writer fills next. They have room for all bodies, and still contain old values. */
        PoseBlocks begin();

        /** Hands over the poses. Returns false if the reader has not kept up and there is no room. */
        boolean publish();

        /**
         * Returns the latest poses to the reader; null if there are no newer ones since the last call. The writer does not overwrite them
         * until the reader's next call.
         */
        @Nullable
        PoseBlocks acquire();
    }

    private static final class Exchange implements Handoff {

        private final Timeline timeline = new Timeline(TumblingBodies.RATE);
        private final SnapshotExchange exchange;
        private final SnapshotWriter writer;
        private final int bodies;
        private @Nullable SnapshotReader reader;
        private long tick;

        Exchange(int bodies) {
            this.bodies = bodies;
            timeline.start(0);
            exchange = new SnapshotExchange(3, 1, bodies, timeline.rate(), PoseLayout.PLAIN, null);
            writer = exchange.writer();
        }

        @Override
        public PoseBlocks begin() {
            WritableSnapshot snapshot = writer.nextSnapshot();
            tick++;
            snapshot.startTick(tick, tick);
            PoseBlocks poses = snapshot.poses();
            if (poses.slotCount() != bodies) {
                snapshot.resize(bodies);
            }
            return poses;
        }

        @Override
        public boolean publish() {
            writer.publish(timeline, tick);
            return true;
        }

        @Override
        public @Nullable PoseBlocks acquire() {
            if (reader == null) {
                reader = exchange.attach(); // attached here, because a reader belongs to the thread that attaches it
            }
            return reader.acquire() ? reader.window().newest().poses() : null;
        }
    }

    /**
     * Two JCTools queues of reusable frames. One queue brings full frames to the reader, which drains it to the latest; the other returns
     * empty frames to the writer. If the reader does not keep up, the writer finds no empty frame and drops the newest tick.
     */
    private static final class JctoolsQueue implements Handoff {

        private static final int FRAMES = 8;

        private final Queue<PoseBlocks> full = new SpscVarHandleArrayQueue<>(FRAMES);
        private final Queue<PoseBlocks> empty = new SpscVarHandleArrayQueue<>(FRAMES);
        private final PoseBlocks dropped;
        private @Nullable PoseBlocks writing;
        private @Nullable PoseBlocks held;

        JctoolsQueue(int bodies) {
            dropped = PoseArrays.room(bodies);
            for (int i = 0; i < FRAMES; i++) {
                empty.add(PoseArrays.room(bodies));
            }
        }

        @Override
        public PoseBlocks begin() {
            writing = empty.poll();
            return writing == null ? dropped : writing;
        }

        @Override
        public boolean publish() {
            return writing != null && full.offer(writing);
        }

        @Override
        public @Nullable PoseBlocks acquire() {
            PoseBlocks latest = null;
            PoseBlocks next;
            while ((next = full.poll()) != null) {
                if (held != null) {
                    empty.add(held);
                }
                held = next;
                latest = next;
            }
            return latest;
        }
    }
}
