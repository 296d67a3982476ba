package dev.escapement.bench.jmh;

import com.badlogic.gdx.graphics.g3d.Model;
import com.badlogic.gdx.graphics.g3d.ModelInstance;
import com.jme3.math.Quaternion;
import com.jme3.scene.Geometry;
import com.jme3.scene.Mesh;
import com.jme3.scene.Node;
import com.jme3.scene.Spatial;
import dev.escapement.render.FrameView;
import dev.escapement.render.jme.BodySpatials;
import dev.escapement.render.libgdx.BodyInstances;
import dev.escapement.render.scene.SceneBodies;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.PoseLayout;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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
 * Giving a frame's poses to the objects that an engine draws: by its backend, who has come and gone included, and, as the floor,
 * from plain arrays into the same kind of objects. What the engine does with them afterwards is the same for both.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class BackendBenchmark {

    /** The instant of the frame: three tenths of the way from the second tick of the window to the third. */
    private static final long FRAME_NANOS =
            TumblingBodies.RATE.nanosAt(CapturedTicks.WINDOW_SIZE) + TumblingBodies.RATE.nanosAt(1) * 3 / 10;

    /** As many bodies as engines with an object for each are used with, all of them moving. */
    @State(Scope.Thread)
    public abstract static class Scene {

        @Param({"1000", "10000"})
        int bodies;

        /** Fills the scene. */
        @Setup
        public void create() throws Exception {
            CapturedTicks ticks = new CapturedTicks(bodies, PoseLayout.PLAIN);
            TumblingBodies world = new TumblingBodies(bodies);
            for (int tick = 0; tick < CapturedTicks.WINDOW_SIZE; tick++) {
                ticks.capture(world);
            }
            fill(ticks.view());
        }

        /** Fills it with the bodies of a view that is yet to be advanced to the frame. */
        abstract void fill(FrameView view);
    }

    /** Moved by a backend. */
    public abstract static class Followed<B extends SceneBodies<?>> extends Scene {

        private @Nullable B objects;

        @Override
        final void fill(FrameView view) {
            objects = follow(view);
            objects.advance(FRAME_NANOS);
        }

        abstract B follow(FrameView view);

        final B objects() {
            return Objects.requireNonNull(objects);
        }

        /** A frame whose poses are blended already. */
        final Object place() {
            objects().update();
            return objects();
        }

        /** A whole frame: what is blended for one is not kept for the next. */
        final Object blendAndPlace() {
            objects().advance(FRAME_NANOS);
            return objects();
        }
    }

    /** The poses of the same frame in plain arrays. */
    public abstract static class Floor extends Scene {

        float[] positions = {};
        float[] rotations = {};

        @Override
        void fill(FrameView view) {
            view.advance(FRAME_NANOS);
            PoseBlocks poses = view.poses();
            positions = new float[3 * bodies];
            rotations = new float[4 * bodies];
            for (int body = 0; body < bodies; body++) {
                PoseBlock p = poses.blockOf(body);
                int i = body & PoseBlock.MASK;
                System.arraycopy(new float[] {p.px[i], p.py[i], p.pz[i]}, 0, positions, 3 * body, 3);
                System.arraycopy(new float[] {p.qx[i], p.qy[i], p.qz[i], p.qw[i]}, 0, rotations, 4 * body, 4);
            }
        }
    }

    /** jMonkeyEngine's geometries, by its backend. */
    public static class Jme extends Followed<BodySpatials> {

        final Node node = new Node();

        @Override
        BodySpatials follow(FrameView view) {
            return new BodySpatials(view, node, (bodyId, userData) -> crate());
        }

        static Spatial crate() {
            return new Geometry("crate", new Mesh());
        }
    }

    /** jMonkeyEngine's geometries, from arrays. */
    public static class JmeFloor extends Floor {

        final Node node = new Node();
        private final Quaternion rotation = new Quaternion();
        private Spatial[] spatials = {};

        @Override
        void fill(FrameView view) {
            super.fill(view);
            spatials = Stream.generate(Jme::crate).limit(bodies).toArray(Spatial[]::new);
            Arrays.stream(spatials).forEach(node::attachChild);
        }

        Object place() {
            for (int body = 0; body < spatials.length; body++) {
                int p = 3 * body;
                int q = 4 * body;
                Spatial spatial = spatials[body];
                spatial.setLocalTranslation(positions[p], positions[p + 1], positions[p + 2]);
                spatial.setLocalRotation(
                        rotation.set(rotations[q], rotations[q + 1], rotations[q + 2], rotations[q + 3]));
            }
            return node;
        }
    }

    /** libGDX's model instances, by its backend. */
    public static class Libgdx extends Followed<BodyInstances> {

        @Override
        BodyInstances follow(FrameView view) {
            Model crate = new Model();
            return new BodyInstances(view, (bodyId, userData) -> new ModelInstance(crate));
        }
    }

    /** libGDX's model instances, from arrays. */
    public static class LibgdxFloor extends Floor {

        ModelInstance[] instances = {};

        @Override
        void fill(FrameView view) {
            super.fill(view);
            Model crate = new Model();
            instances = Stream.generate(() -> new ModelInstance(crate))
                    .limit(bodies)
                    .toArray(ModelInstance[]::new);
        }

        Object place() {
            for (int body = 0; body < instances.length; body++) {
                int p = 3 * body;
                int q = 4 * body;
                instances[body].transform.set(
                        positions[p],
                        positions[p + 1],
                        positions[p + 2],
                        rotations[q],
                        rotations[q + 1],
                        rotations[q + 2],
                        rotations[q + 3]);
            }
            return instances;
        }
    }

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
