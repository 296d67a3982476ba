package dev.escapement.bench.jmh;

import dev.escapement.bench.jmh.TickStates.EmptyTick;
import dev.escapement.bench.jmh.TickStates.JoltTick;
import dev.escapement.bench.jmh.TickStates.SpringTick;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/**
 * One tick of the whole service on the calling thread: input, step, capture, publish; without the waiting. Ten bodies are
 * pushed in every tick, so that none come to rest. What of it is the service's own: {@code escapement cost}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class TickBenchmark {

    @Benchmark
    public int escapementEmpty(EmptyTick state) {
        return state.tick();
    }

    @Benchmark
    public int escapementSprings(SpringTick state) {
        return state.tick();
    }

    @Benchmark
    public int escapementJolt(JoltTick state) {
        return state.tick();
    }
}
