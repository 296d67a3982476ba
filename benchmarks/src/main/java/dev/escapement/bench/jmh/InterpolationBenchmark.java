package dev.escapement.bench.jmh;

import dev.escapement.bench.jmh.InterpolationStates.Copy;
import dev.escapement.bench.jmh.InterpolationStates.HermiteSlerp;
import dev.escapement.bench.jmh.InterpolationStates.InterleavedMatrix;
import dev.escapement.bench.jmh.InterpolationStates.InterleavedPose;
import dev.escapement.bench.jmh.InterpolationStates.Nlerp;
import dev.escapement.bench.jmh.InterpolationStates.Slerp;
import dev.escapement.bench.jmh.PeerStates.Jme;
import dev.escapement.bench.jmh.PeerStates.Joml;
import dev.escapement.bench.jmh.PeerStates.JomlInterleaved;
import dev.escapement.bench.jmh.PeerStates.Libgdx;
import dev.escapement.state.snapshot.PoseBlocks;
import java.nio.FloatBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;

/**
 * Blending all bodies of a frame, position and rotation, between the same two ticks: by the library, by those who have an
 * object per position and per rotation, and, as the floor, copying one tick's poses. Random orientations that turn by up to
 * 0.1 rad from tick to tick.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class InterpolationBenchmark {

    @Benchmark
    public PoseBlocks escapementSlerp(Slerp state) {
        return state.show().poses();
    }

    /**
     * The same without vector code. The ratio to {@link #escapementSlerp} is what vectorisation brings; near 1 it means that
     * the passes are no longer vectorised. To be read at 1,000 bodies: where memory is the limit, arithmetic hardly shows. A
     * {@code -jvmArgsAppend} on the command line replaces the one here.
     */
    @Benchmark
    @Fork(jvmArgsAppend = "-XX:-UseSuperWord")
    public PoseBlocks escapementSlerpScalar(Slerp state) {
        return state.show().poses();
    }

    @Benchmark
    public PoseBlocks escapementNlerp(Nlerp state) {
        return state.show().poses();
    }

    @Benchmark
    public PoseBlocks escapementHermiteSlerp(HermiteSlerp state) {
        return state.show().poses();
    }

    @Benchmark
    public FloatBuffer escapementInterleavedPose(InterleavedPose state) {
        return state.write();
    }

    @Benchmark
    public FloatBuffer escapementInterleavedMatrix(InterleavedMatrix state) {
        return state.write();
    }

    @Benchmark
    public Object jomlSlerp(Joml state) {
        return state.slerp();
    }

    @Benchmark
    public Object jomlNlerp(Joml state) {
        return state.nlerp();
    }

    @Benchmark
    public FloatBuffer jomlInterleaved(JomlInterleaved state) {
        return state.write();
    }

    @Benchmark
    public Object libgdxSlerp(Libgdx state) {
        return state.slerp();
    }

    /** Not what the others compute: quaternions too short by up to 3e-4. */
    @Benchmark
    public Object libgdxSlerpUnnormalised(Libgdx state) {
        return state.slerpUnnormalised();
    }

    @Benchmark
    public Object jmeSlerp(Jme state) {
        return state.slerp();
    }

    /** Not what the others compute: quaternions too short by up to 3e-4. */
    @Benchmark
    public Object jmeSlerpUnnormalised(Jme state) {
        return state.slerpUnnormalised();
    }

    @Benchmark
    public Object jmeNlerp(Jme state) {
        return state.nlerp();
    }

    @Benchmark
    public PoseBlocks floorCopy(Copy state) {
        return state.copy();
    }
}
