package dev.escapement.bench.jmh;

import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.JoltBodies;
import dev.escapement.bench.demo.SeededWorld;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
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
 * Measures the time of the service in a tick, without the engine's calls, beside a whole tick of a pile in Jolt. In a tick, calls of the
 * engine and work of the service alternate from body to body, so that timing each of them would mostly measure the clock. Instead, right
 * after each tick of Jolt, a simulation that only writes poses plays back the same tick, while the caches are as Jolt's step has left them.
 * {@link #joltHash} measures the largest extra cost of recording.
 */
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CostBenchmark {

    private static final long SEED = 1;
    private static final int PUSHES = 20;

    private static final int FALL_TICKS = 100;

    /** A pile in Jolt after its fall. */
    @State(Scope.Thread)
    public static class Pile {

        @Param("1000")
        int bodies;

        @Nullable
        JoltBodies pile;

        private @Nullable SeededWorld jolt;

        @Setup
        public void create() {
            pile = new JoltBodies(new BoxPile(bodies).scene(false));
            jolt = new SeededWorld(pile, PUSHES, builder -> builder);
            jolt.run(SEED, FALL_TICKS);
        }

        final SeededWorld jolt() {
            return Objects.requireNonNull(jolt);
        }

        @TearDown
        public void close() {
            jolt().close();
        }
    }

    /** A pile in Jolt whose last tick the benchmark plays back. */
    public static class Repeated extends Pile {

        private @Nullable PlayedBack playedBack;
        private @Nullable SeededWorld own;
        private @Nullable SnapshotReader reader;

        @Override
        public void create() {
            super.create();
            reader = jolt().newReader();
            playedBack = new PlayedBack(bodies);
            own = new SeededWorld(playedBack, PUSHES, builder -> builder);
        }

        @Setup(Level.Invocation)
        public void before() {
            tick(jolt());
            SnapshotReader from = Objects.requireNonNull(reader);
            from.acquire();
            Objects.requireNonNull(playedBack).load(from.window().newest().poses());
        }

        final SeededWorld own() {
            return Objects.requireNonNull(own);
        }

        @Override
        public void close() {
            own().close();
            super.close();
        }
    }

    private static long tick(SeededWorld world) {
        world.run(SEED, world.tick() + 1);
        return world.tick();
    }

    @Benchmark
    public long joltTick(Pile state) {
        return tick(state.jolt());
    }

    @Benchmark
    public long escapementTick(Repeated state) {
        return tick(state.own());
    }

    /** Reads the state of all bodies from the engine and hashes it, as a recording does. */
    @Benchmark
    public long joltHash(Repeated state) {
        return Objects.requireNonNull(state.pile).hash();
    }

    /**
     * A simulation without an engine. It writes the published poses of another simulation for all bodies, even for those that have not
     * moved.
     */
    static final class PlayedBack implements Simulation {

        private final PoseBlocks poses;

        PlayedBack(int bodies) {
            poses = PoseArrays.room(bodies);
        }

        void load(PoseBlocks published) {
            PoseArrays.copy(published, poses);
        }

        @Override
        public void step(Tick tick) {}

        @Override
        public void capture(PoseWriter writer) {
            writer.bodyCount(poses.slotCount());
            for (int body = 0; body < poses.slotCount(); body++) {
                PoseBlock p = poses.blockOf(body);
                int i = body & PoseBlock.MASK;
                writer.set(body, p.px[i], p.py[i], p.pz[i], p.qx[i], p.qy[i], p.qz[i], p.qw[i]);
            }
        }
    }
}
