package dev.escapement.bench.jmh;

import dev.escapement.bench.jmh.BackendStates.Jme;
import dev.escapement.bench.jmh.BackendStates.JmeFloor;
import dev.escapement.bench.jmh.BackendStates.Libgdx;
import dev.escapement.bench.jmh.BackendStates.LibgdxFloor;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/**
 * Giving a frame's poses to the objects that an engine draws: by its backend, who has come and gone included, and, as the floor,
 * from plain arrays into the same kind of objects. What the engine does with them afterwards is the same for both.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class BackendBenchmark {

    @Benchmark
    public Object escapementJme(Jme state) {
        return state.place();
    }

    /** A whole frame, blending included. */
    @Benchmark
    public Object escapementJmeBlended(Jme state) {
        return state.blendAndPlace();
    }

    @Benchmark
    public Object floorJme(JmeFloor state) {
        return state.place();
    }

    @Benchmark
    public Object escapementLibgdx(Libgdx state) {
        return state.place();
    }

    /** A whole frame, blending included. */
    @Benchmark
    public Object escapementLibgdxBlended(Libgdx state) {
        return state.blendAndPlace();
    }

    @Benchmark
    public Object floorLibgdx(LibgdxFloor state) {
        return state.place();
    }
}
