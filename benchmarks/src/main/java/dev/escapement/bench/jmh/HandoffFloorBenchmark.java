package dev.escapement.bench.jmh;

import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The handover itself, uncontended and without a body: what it costs beside the atomic operations that it cannot do without.
 * The floor is those operations on padded words and nothing else.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HandoffFloorBenchmark {

    private static final int WINDOW_SIZE = 3;
    private static final int PADDED = 32;

    private final Timeline timeline = new Timeline(TickRate.hertz(100));
    private final AtomicIntegerArray words = new AtomicIntegerArray(6 * PADDED);
    private final SnapshotExchange exchange = new SnapshotExchange(WINDOW_SIZE, 1, 0, timeline.rate());
    private final SnapshotWriter writer = exchange.writer();
    private final SnapshotReader reader = exchange.attach();
    private long tick;

    /** Starts the timeline, once for every state that JMH makes. */
    public HandoffFloorBenchmark() {
        timeline.start(0);
    }

    /** An empty publish and the acquire that takes it. */
    @Benchmark
    public boolean escapementHandover() {
        publish(writer, ++tick, timeline);
        return reader.acquire();
    }

    /** An acquire where nothing is new. */
    @Benchmark
    public boolean escapementNothingNew() {
        return reader.acquire();
    }

    @Benchmark
    public int floorTwoGetAndSet() {
        return words.getAndSet(PADDED, 1) + words.getAndSet(PADDED, 2);
    }

    @Benchmark
    public int floorVolatileRead() {
        return words.get(PADDED);
    }

    /** An empty publish to several readers, none of which takes anything, and one exchange for each as the floor. */
    @State(Scope.Thread)
    public static class Readers {

        /** R. */
        @Param({"1", "2", "4"})
        private int readers;

        private final Timeline timeline = new Timeline(TickRate.hertz(100));
        private SnapshotWriter writer = new SnapshotExchange(WINDOW_SIZE, 1, 0, timeline.rate()).writer();
        private long tick;

        /** Makes the exchange for {@code readers}. */
        @Setup
        public void createExchange() {
            timeline.start(0);
            writer = new SnapshotExchange(WINDOW_SIZE, readers, 0, timeline.rate()).writer();
        }
    }

    @Benchmark
    public void escapementPublish(Readers state) {
        publish(state.writer, ++state.tick, state.timeline);
    }

    @Benchmark
    public int floorGetAndSetEach(Readers state) {
        int sum = 0;
        for (int r = 1; r <= state.readers; r++) {
            sum += words.getAndSet(r * PADDED, r);
        }
        return sum;
    }

    private static void publish(SnapshotWriter writer, long tick, Timeline timeline) {
        writer.nextSnapshot().startTick(tick, tick);
        writer.publish(timeline, tick);
    }
}
