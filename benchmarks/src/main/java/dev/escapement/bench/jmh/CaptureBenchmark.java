package dev.escapement.bench.jmh;

import dev.escapement.bench.jmh.CaptureStates.AllMoved;
import dev.escapement.bench.jmh.CaptureStates.AllMovedBulk;
import dev.escapement.bench.jmh.CaptureStates.DerivedTangents;
import dev.escapement.bench.jmh.CaptureStates.Joml;
import dev.escapement.bench.jmh.CaptureStates.OneInHundredMoved;
import dev.escapement.bench.jmh.CaptureStates.Unmoved;
import dev.escapement.bench.jmh.InterpolationStates.Copy;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.Snapshot;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/**
 * What the physics thread pays for a tick's snapshot: capture and publish, without a simulation (every third tick with a
 * reader's acquire, some nanoseconds). Against copying the same poses into an object per position and per rotation, and, as
 * the floor, copying one tick's poses.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CaptureBenchmark {

    @Benchmark
    public Snapshot escapementAllMoved(AllMoved state) throws Exception {
        return state.tick();
    }

    @Benchmark
    public Snapshot escapementAllMovedBulk(AllMovedBulk state) throws Exception {
        return state.tick();
    }

    @Benchmark
    public Snapshot escapementUnmoved(Unmoved state) throws Exception {
        return state.tick();
    }

    @Benchmark
    public Snapshot escapementOneInHundredMoved(OneInHundredMoved state) throws Exception {
        return state.tick();
    }

    @Benchmark
    public Snapshot escapementDerivedTangents(DerivedTangents state) throws Exception {
        return state.tick();
    }

    @Benchmark
    public Object jomlCopy(Joml state) {
        return state.copy();
    }

    @Benchmark
    public PoseBlocks floorCopy(Copy state) {
        return state.copy();
    }
}
