package dev.escapement.bench.jmh;

import dev.escapement.state.snapshot.Snapshot;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/**
 * What it costs to read the poses of an engine and to write them into a snapshot, per body: {@value PoseReadingStates#BODIES} boxes
 * that are all falling. The writing alone is {@code CaptureBenchmark.escapementAllMoved}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@OperationsPerInvocation(PoseReadingStates.BODIES)
public class PoseReadingBenchmark {

    @Benchmark
    public Snapshot capture(PoseReadingStates.FallingPile state) throws Exception {
        return state.capture();
    }
}
