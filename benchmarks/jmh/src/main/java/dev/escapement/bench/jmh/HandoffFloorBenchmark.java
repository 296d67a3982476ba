package dev.escapement.bench.jmh;

import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.time.Timeline;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures the handover alone, on one thread and without bodies. The floor performs only the necessary atomic operations, on integers in
 * separate cache lines.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HandoffFloorBenchmark {

    private static final int PADDED = 32;

    /** The number of attached readers, to each of which every tick is published. One of them acquires. */
    @Param({"1", "2", "4"})
    int readers = 1;

    private final Timeline timeline = new Timeline(TumblingBodies.RATE);
    private final AtomicIntegerArray words = new AtomicIntegerArray(6 * PADDED);
    private @Nullable SnapshotWriter writer;
    private @Nullable SnapshotReader reader;
    private long tick;

    @Setup
    public void createExchange() {
        timeline.start(0);
        SnapshotExchange exchange = new SnapshotExchange(3, readers, 0, timeline.rate(), PoseLayout.PLAIN, null);
        writer = exchange.writer();
        reader = exchange.attach();
    }

    /** Measures a publish without bodies and the acquire of its window. */
    @Benchmark
    public boolean escapementHandover() {
        SnapshotWriter to = Objects.requireNonNull(writer);
        tick++;
        to.nextSnapshot().startTick(tick, tick);
        to.publish(timeline, tick);
        return escapementNothingNew();
    }

    @Benchmark
    public boolean escapementNothingNew() {
        return Objects.requireNonNull(reader).acquire();
    }

    /** Measures the atomic exchanges of a handover: one per reader for the publish, and one for the acquire. */
    @Benchmark
    public int floorGetAndSet() {
        int sum = words.getAndSet(PADDED, 0);
        for (int r = 1; r <= readers; r++) {
            sum += words.getAndSet(r * PADDED, r);
        }
        return sum;
    }

    @Benchmark
    public int floorVolatileRead() {
        return words.get(PADDED);
    }
}
