package dev.escapement.bench.jmh;

import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** The handover itself, uncontended and without a body: what it costs beside the atomic operations it cannot do without. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HandoffBenchmark {

    private static final int WINDOW_SIZE = 3;

    private final Timeline timeline = new Timeline(TickRate.hertz(100));
    private final SnapshotExchange exchange = new SnapshotExchange(WINDOW_SIZE, 1, 0, timeline.rate());
    private final SnapshotReader reader = exchange.attach();
    private final AtomicInteger word = new AtomicInteger();
    private final SnapshotWriter writer = exchange.writer();
    private long tick;

    /** Starts the timeline; every run of JMH makes a new state. */
    public HandoffBenchmark() {
        timeline.start(0);
    }

    @Benchmark
    public long escapementPublishAndTake() {
        publish();
        reader.acquire();
        return reader.hasWindow() ? reader.window().newestTick() : 0;
    }

    @Benchmark
    public boolean escapementNothingNew() {
        return reader.acquire();
    }

    @Benchmark
    public int floorTwoGetAndSet() {
        return word.getAndSet(1) + word.getAndSet(2);
    }

    @Benchmark
    public int floorVolatileRead() {
        return word.get();
    }

    private void publish() {
        tick++;
        writer.begin().begin(tick, tick);
        writer.publish(timeline, tick);
    }
}
