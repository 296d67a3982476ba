package dev.escapement.bench.jmh;

import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.JoltPile;
import dev.escapement.bench.demo.PushedWorld;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.bench.measure.EmptySimulation;
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
 * One tick of the whole service on the calling thread: input, step, capture, publish; without the waiting. Ten bodies are
 * pushed in every tick, so that none come to rest. What of it is the service's own: {@code escapement cost}.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class TickBenchmark {

    /** Until a pile has fallen. */
    private static final int FIRST_TICKS = 300;

    /** A world that is ticked once per call. */
    @State(Scope.Thread)
    public abstract static class Ticked {

        private @Nullable PushedWorld world;

        abstract PushedWorld create();

        /** Builds the world and lets it fall. */
        @Setup
        public void start() {
            world = create();
            world.run(FIRST_TICKS);
        }

        /** Frees what the engine holds. */
        @TearDown
        public void close() {
            Objects.requireNonNull(world).close();
        }

        int tick() {
            PushedWorld ticked = Objects.requireNonNull(world);
            ticked.prepare();
            return ticked.tick();
        }
    }

    /** No bodies: the service alone. */
    public static class EmptyTick extends Ticked {
        @Override
        PushedWorld create() {
            return new PushedWorld(new EmptySimulation(), 0);
        }
    }

    /** As many as the goals speak of. */
    public abstract static class TickedBodies extends Ticked {

        @Param({"1000", "10000"})
        int bodies;
    }

    /** Masses on springs. */
    public static class SpringTick extends TickedBodies {
        @Override
        PushedWorld create() {
            return new PushedWorld(new SpringSimulation(bodies), bodies);
        }
    }

    /** A pile of boxes in Jolt. */
    public static class JoltTick extends TickedBodies {
        @Override
        PushedWorld create() {
            return new PushedWorld(new JoltPile(new BoxPile(bodies)), bodies);
        }
    }

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
