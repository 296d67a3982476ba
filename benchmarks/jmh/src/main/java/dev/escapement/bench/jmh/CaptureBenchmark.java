package dev.escapement.bench.jmh;

import dev.escapement.state.capture.Capture;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures how long the physics thread takes to snapshot a tick: capture and publish, without a simulation. Every third tick also has a
 * reader's acquire, which takes some nanoseconds. The floor copies the poses of one tick.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CaptureBenchmark {

    private static final int FIRST_TICKS = 20;

    /** One body in this many is moved by {@link #escapementFewMoved}. */
    static final int FEW = 100;

    /**
     * Bodies in two alternating ticks, between which all bodies move. Each benchmark method captures all, some or none of them. A tick has
     * interleaved positions (metres) and unit quaternions.
     */
    @State(Scope.Thread)
    public static class Captured {

        @Param({"1000", "10000", "100000", "1000000"})
        int bodies;

        final Capture.Source few = this::writeFew;
        final Capture.Source single = this::writeEach;
        final Capture.Source bulk = this::writeAll;

        private final float[][] positions = new float[2][];
        private final float[][] rotations = new float[2][];
        private final PoseBlocks copy = new PoseBlocks(0);
        private int[] moved = {};
        private int current;
        private @Nullable CapturedTicks ticks;

        @Nullable
        Snapshot captured;

        /** Captures all bodies often enough to write each snapshot of the exchange twice. */
        @Setup
        public void create() throws Exception {
            TumblingBodies world = new TumblingBodies(bodies);
            for (int i = 0; i < 2; i++) {
                positions[i] = new float[3 * bodies];
                rotations[i] = new float[4 * bodies];
                world.fill(1 + i, positions[i], rotations[i]);
            }
            moved = shuffled(bodies / FEW);
            ticks = new CapturedTicks(bodies);
            for (int tick = 0; tick < FIRST_TICKS; tick++) {
                captured = tick(bulk);
            }
        }

        Snapshot tick(Capture.Source source) throws Exception {
            current ^= 1;
            return Objects.requireNonNull(ticks).capture(source);
        }

        private void writeAll(PoseWriter poses) {
            poses.bodyCount(bodies);
            poses.setAll(0, bodies, positions[current], rotations[current]);
        }

        private void writeEach(PoseWriter poses) {
            float[] p = positions[current];
            float[] q = rotations[current];
            poses.bodyCount(bodies);
            for (int body = 0; body < bodies; body++) {
                int i = 3 * body;
                int k = 4 * body;
                poses.set(body, p[i], p[i + 1], p[i + 2], q[k], q[k + 1], q[k + 2], q[k + 3]);
            }
        }

        private void writeFew(PoseWriter poses) {
            float[] p = positions[current];
            float[] q = rotations[current];
            for (int body : moved) {
                int i = 3 * body;
                int k = 4 * body;
                poses.set(body, p[i], p[i + 1], p[i + 2], q[k], q[k + 1], q[k + 2], q[k + 3]);
            }
        }

        private static int[] shuffled(int count) {
            List<Integer> bodies =
                    IntStream.range(0, count).map(i -> i * FEW).boxed().collect(Collectors.toList());
            Collections.shuffle(bodies, new Random(1));
            return bodies.stream().mapToInt(body -> body).toArray();
        }
    }

    @Benchmark
    public Snapshot escapementAllMoved(Captured state) throws Exception {
        return state.tick(state.single);
    }

    @Benchmark
    public Snapshot escapementAllMovedBulk(Captured state) throws Exception {
        return state.tick(state.bulk);
    }

    @Benchmark
    public Snapshot escapementFewMoved(Captured state) throws Exception {
        return state.tick(state.few);
    }

    @Benchmark
    public Snapshot escapementUnmoved(Captured state) throws Exception {
        return state.tick(poses -> {});
    }

    @Benchmark
    public PoseBlocks floorCopy(Captured state) {
        PoseArrays.copy(Objects.requireNonNull(state.captured).poses(), state.copy);
        return state.copy;
    }
}
