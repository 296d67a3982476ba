package dev.escapement.bench.jmh;

import dev.escapement.bench.handoff.Poses;
import dev.escapement.render.interpolation.InstanceBuffer;
import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import java.nio.FloatBuffer;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.joml.Quaternionf;
import org.joml.Vector3f;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Lerp and slerp for all bodies of a frame, against JOML's per object and against copying the same bytes. Random
 * orientations, up to 0.1 rad from tick to tick.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class InterpolationBenchmark {

    private static final float ALPHA = 0.3f;

    /** How many bodies. */
    @Param({"1000", "10000"})
    private int bodies;

    private final Interpolator interpolator = new Interpolator();
    private final InstanceBuffer instances = new InstanceBuffer();
    private final PoseBlocks from = new PoseBlocks(0);
    private final PoseBlocks to = new PoseBlocks(0);
    private final PoseBlocks out = new PoseBlocks(0);
    private Vector3f[] positions = {};
    private Vector3f[] nextPositions = {};
    private Vector3f[] shownPositions = {};
    private Quaternionf[] rotations = {};
    private Quaternionf[] nextRotations = {};
    private Quaternionf[] shownRotations = {};

    /** Fills both layouts with the same poses. */
    @Setup
    public void fill() {
        SplittableRandom random = new SplittableRandom(1);
        from.resize(bodies);
        to.resize(bodies);
        positions = vectors();
        nextPositions = vectors();
        shownPositions = vectors();
        rotations = quaternions();
        nextRotations = quaternions();
        shownRotations = quaternions();
        for (int body = 0; body < bodies; body++) {
            positions[body].set((float) random.nextDouble(), (float) random.nextDouble(), (float) random.nextDouble());
            nextPositions[body].set(positions[body]).add(0.1f, 0.2f, 0.3f);
            rotations[body].rotateXYZ(
                    (float) random.nextDouble(6), (float) random.nextDouble(6), (float) random.nextDouble(6));
            nextRotations[body].set(rotations[body]).rotateY((float) random.nextDouble(0.1));
            set(from, body, positions[body], rotations[body]);
            set(to, body, nextPositions[body], nextRotations[body]);
        }
    }

    @Benchmark
    public PoseBlocks escapementSlerp() {
        interpolator.interpolate(from, to, ALPHA, out);
        return out;
    }

    @Benchmark
    public FloatBuffer escapementSlerpInterleaved() {
        interpolator.interpolate(from, to, ALPHA, out);
        return instances.write(out);
    }

    @Benchmark
    public Quaternionf[] jomlSlerp() {
        for (int body = 0; body < bodies; body++) {
            positions[body].lerp(nextPositions[body], ALPHA, shownPositions[body]);
            rotations[body].slerp(nextRotations[body], ALPHA, shownRotations[body]);
        }
        return shownRotations;
    }

    @Benchmark
    public PoseBlocks floorCopy() {
        Poses.copy(from, out);
        return out;
    }

    private Vector3f[] vectors() {
        Vector3f[] vectors = new Vector3f[bodies];
        Arrays.setAll(vectors, i -> new Vector3f());
        return vectors;
    }

    private Quaternionf[] quaternions() {
        Quaternionf[] quaternions = new Quaternionf[bodies];
        Arrays.setAll(quaternions, i -> new Quaternionf());
        return quaternions;
    }

    private static void set(PoseBlocks poses, int body, Vector3f p, Quaternionf q) {
        poses.blockOf(body).set(body & PoseBlock.MASK, p.x, p.y, p.z, q.x, q.y, q.z, q.w);
    }
}
