package dev.escapement.bench.jmh;

import dev.escapement.bench.cost.PushedWorld;
import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.JoltPile;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.bench.measure.EmptySimulation;
import dev.escapement.physics.Simulation;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What the methods of {@link TickBenchmark} tick. */
public final class TickStates {

    /** Until a pile has fallen. */
    private static final int FIRST_TICKS = 300;

    private TickStates() {}

    /** A world that is ticked once per call. */
    @State(Scope.Thread)
    public abstract static class Ticked {

        private @Nullable PushedWorld world;

        abstract Simulation create();

        abstract int bodies();

        /** Builds the world and lets it fall. */
        @Setup
        public void start() {
            world = new PushedWorld(create(), bodies());
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
        Simulation create() {
            return new EmptySimulation();
        }

        @Override
        int bodies() {
            return 0;
        }
    }

    /** As many as the goals speak of. */
    public abstract static class TickedBodies extends Ticked {

        @Param({"1000", "10000"})
        int bodies;

        @Override
        int bodies() {
            return bodies;
        }
    }

    /** Masses on springs. */
    public static class SpringTick extends TickedBodies {
        @Override
        Simulation create() {
            return new SpringSimulation(bodies);
        }
    }

    /** A pile of boxes in Jolt. */
    public static class JoltTick extends TickedBodies {
        @Override
        Simulation create() {
            return new JoltPile(new BoxPile(bodies));
        }
    }
}
