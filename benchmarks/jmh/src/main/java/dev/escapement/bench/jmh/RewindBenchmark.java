package dev.escapement.bench.jmh;

import com.github.stephengold.joltjni.StateRecorderImpl;
import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.demo.JoltBodies;
import dev.escapement.bench.demo.Scene;
import dev.escapement.bench.demo.SeededWorld;
import dev.escapement.bench.demo.Solid;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickAccess;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.world.BodyShape;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Measures how long it takes to save a world after a tick, and to restore it. The floor does the least possible work: it saves as the
 * engine's Java binding does, or copies the state of the springs. Another benchmark seeks back 13 ticks and re-simulates them, which is
 * compared with running 13 ticks only. At the end, the benchmark prints the bytes per saved tick.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class RewindBenchmark {

    private static final int BODIES = 1000;
    private static final int PUSHES = 40;
    private static final long SEED = 1;
    static final int WARM_UP_TICKS = 300;

    /** How many ticks run before the measurement: more than the history keeps, so that it already reuses its memory. */
    private static final int FULL_TICKS = 200;

    private static final int KEPT_TICKS = 160;
    static final int BACK_TICKS = 13;

    /** The worlds that the benchmarks save. */
    public enum Saved {
        /** Boxes that touch each other. Twenty are pushed in each tick, so that none sleeps. */
        PILE,
        /** Bodies in the turning drum of the demonstration's machine. */
        DRUM,
        /** Boxes that sleep on the floor without touching each other. */
        ASLEEP,
        SPRINGS;

        Simulation world(int bodies) {
            return switch (this) {
                case PILE -> Engine.JOLT.pile(bodies);
                case DRUM -> Engine.JOLT.simulation(bodies);
                case SPRINGS -> Engine.SPRING.simulation(bodies);
                case ASLEEP -> {
                    BodyShape.Form cube = new BodyShape.Box(0.5f, 0.5f, 0.5f);
                    yield new JoltBodies(Scene.onFloor(
                            -9.81,
                            0.5,
                            IntStream.range(0, bodies)
                                    .mapToObj(i -> Solid.dynamic(
                                            cube, 0.5, 100, false, 2.0 * (i % 32), 0.5, 2.0 * Math.floorDiv(i, 32)))
                                    .toList()));
                }
            };
        }
    }

    /** A world whose history saves a tick only if the benchmark asks for it. */
    @State(Scope.Thread)
    public static class Kept implements TickHook {

        @Param
        Saved world = Saved.PILE;

        int bodies = BODIES;
        private final StateHistory history = StateHistory.ofTicks(KEPT_TICKS).maxBytes(1L << 30);
        private final StateBuffer copy = new StateBuffer();
        private @Nullable Simulation simulation;
        private @Nullable SeededWorld ticks;
        private boolean isMeasured;
        private boolean bodiesChanged;
        private long stored;
        private long saved;
        private long moving;

        @Setup
        public void create() {
            Simulation created = world.world(bodies);
            simulation = created;
            boolean isPushed = world == Saved.PILE || world == Saved.SPRINGS;
            ticks = new SeededWorld(created, isPushed ? PUSHES : 0, builder -> builder.with(this));
            run(WARM_UP_TICKS + FULL_TICKS);
        }

        private void run(int count) {
            ticks().run(SEED, ticks().tick() + count);
        }

        private SeededWorld ticks() {
            return Objects.requireNonNull(ticks);
        }

        @Override
        public void attach(TickAccess run) {
            history.attach(run);
        }

        @Override
        public void begun() {
            history.begun();
        }

        @Override
        public void stepped(TickHook.Stepped tick) {
            history.stepped(tick);
        }

        @Override
        public void atRest(long tick, boolean changed) {
            bodiesChanged = changed;
            if (!isMeasured) {
                history.atRest(tick, changed);
            }
        }

        @Override
        public void sought(long tick, boolean resimulates) {
            history.sought(tick, resimulates);
        }

        void tick(boolean saves) {
            isMeasured = !saves;
            run(1);
        }

        void save() {
            history.atRest(ticks().tick(), bodiesChanged);
        }

        final long storedBytes() {
            return history.storedBytes();
        }

        final void count(long bytes) {
            saved++;
            stored += bytes;
            moving += moving();
        }

        /**
         * The number of bodies that a saved tick must contain: those that are awake, and the parts of the machine. If there are none, the
         * number of all bodies.
         */
        private long moving() {
            if (!(simulation instanceof JoltBodies jolt)) {
                return bodies;
            }
            long awake = IntStream.range(0, jolt.pushableCount())
                    .filter(jolt::isAwake)
                    .count();
            long all = jolt.bodyCount() - jolt.pushableCount() + awake;
            return all == 0 ? jolt.bodyCount() : all;
        }

        /** Saves as the engine's Java binding does, or copies the state of the springs. */
        void saveLeast() {
            Simulation from = Objects.requireNonNull(simulation);
            if (from instanceof JoltBodies jolt) {
                try (StateRecorderImpl recorder = new StateRecorderImpl()) {
                    jolt.capability(JoltWorldSimulation.class)
                            .orElseThrow()
                            .world()
                            .saveState(recorder);
                    recorder.getData();
                }
            } else {
                copy.clear();
                from.capability(Restorable.class).orElseThrow().save(copy);
            }
        }

        /** Seeks to the current tick, which restores it without changing anything. */
        void restore() {
            ticks().goBack(history, ticks().tick());
            ticks().goBackNow();
        }

        /** Prints how many bytes a saved tick takes, and closes the world. */
        @TearDown
        public void close() {
            if (saved > 0) {
                System.out.printf(
                        "%s: %,d bytes a saved tick, %.2f for each body that moves%n",
                        world, stored / saved, (double) stored / moving);
            }
            ticks().close();
        }
    }

    /** A world whose last tick is not saved before the measurement. */
    public static class Unsaved extends Kept {

        private long bytesBefore;

        @Setup(Level.Invocation)
        public void before() {
            tick(false);
            bytesBefore = storedBytes();
        }

        @TearDown(Level.Invocation)
        public void after() {
            long bytes = storedBytes() - bytesBefore;
            if (bytes > 0) { // negative if the save has dropped old ticks, which tells nothing
                count(bytes);
            }
        }
    }

    /** A world whose last tick is saved before the measurement. */
    public static class Restored extends Kept {

        @Setup(Level.Invocation)
        public void before() {
            tick(true);
        }
    }

    @Benchmark
    public void escapementSave(Unsaved state) {
        state.save();
    }

    @Benchmark
    public void floorSave(Restored state) {
        state.saveLeast();
    }

    @Benchmark
    public void escapementRestore(Restored state) {
        state.restore();
    }

    /** A pile of 100 boxes with the ticks that the benchmark re-simulates. */
    @State(Scope.Thread)
    public static class Pile {

        /** The history saves the state after every so many ticks. With 0 there is no history, and the benchmark only runs the ticks. */
        @Param({"0", "1", "4"})
        int every;

        private @Nullable StateHistory history;
        private @Nullable SeededWorld world;

        @Setup
        public void create() {
            StateHistory kept = every == 0 ? null : StateHistory.ofTicks(60).every(every);
            history = kept;
            world = new SeededWorld(Engine.JOLT.pile(100), 4, builder -> kept == null ? builder : builder.with(kept));
            run(WARM_UP_TICKS);
        }

        @Setup(Level.Invocation)
        public void ahead() {
            if (history != null) {
                run(BACK_TICKS);
            }
        }

        private long run(int ticks) {
            SeededWorld runs = Objects.requireNonNull(world);
            runs.run(SEED, runs.tick() + ticks);
            return runs.tick();
        }

        long goBack() {
            if (history != null) {
                SeededWorld runs = Objects.requireNonNull(world);
                runs.goBack(history, runs.tick() - BACK_TICKS);
            }
            return run(BACK_TICKS);
        }

        @TearDown
        public void close() {
            Objects.requireNonNull(world).close();
        }
    }

    @Benchmark
    public long goBack(Pile state) {
        return state.goBack();
    }
}
