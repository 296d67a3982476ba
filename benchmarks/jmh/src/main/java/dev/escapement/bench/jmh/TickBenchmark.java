package dev.escapement.bench.jmh;

import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.JoltBodies;
import dev.escapement.bench.demo.PushedWorld;
import dev.escapement.bench.measure.EmptySimulation;
import dev.escapement.physics.Simulation;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One tick of the whole service on the calling thread: input, step, capture, publish; without the waiting. A pile of boxes in Jolt, of
 * which ten are pushed in every tick, so that none come to rest; without bodies, the service alone. For the service's own part of a
 * pile's tick see {@code escapement bench cost}.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class TickBenchmark {

    /** Until a pile has fallen. */
    private static final int FIRST_TICKS = 300;

    @Param({"0", "1000", "10000"})
    int bodies;

    private @Nullable PushedWorld world;

    /** Builds the world and lets it fall. */
    @Setup
    public void start() {
        Simulation simulation = bodies == 0 ? new EmptySimulation() : new JoltBodies(new BoxPile(bodies).scene(false));
        world = new PushedWorld(simulation, bodies);
        world.run(FIRST_TICKS);
    }

    /** Frees the engine's memory. */
    @TearDown
    public void close() {
        Objects.requireNonNull(world).close();
    }

    @Benchmark
    public int tick() {
        PushedWorld ticked = Objects.requireNonNull(world);
        ticked.prepare();
        return ticked.tick();
    }
}
