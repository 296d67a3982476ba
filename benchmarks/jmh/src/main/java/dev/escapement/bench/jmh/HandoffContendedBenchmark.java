package dev.escapement.bench.jmh;

import dev.escapement.bench.jmh.HandoffContestant.Handoff;
import dev.escapement.state.snapshot.PoseBlocks;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
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
 * A writer that fills all poses and publishes without a pause, and a reader that acquires without a pause and reads all poses of new
 * windows, a thread each. With 0 bodies only the handover is measured.
 */
@State(Scope.Group)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class HandoffContendedBenchmark {

    @Param
    HandoffContestant contestant = HandoffContestant.ESCAPEMENT;

    @Param({"0", "1000", "10000"})
    int bodies;

    private @Nullable Handoff handoff;
    private int value;

    /** Creates a new one. */
    @Setup
    public void create() {
        handoff = contestant.create(bodies);
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
}
