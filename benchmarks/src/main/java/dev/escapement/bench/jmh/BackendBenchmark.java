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
import dev.escapement.state.capture.Capture;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import java.util.concurrent.TimeUnit;
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

    /** As many bodies as engines with an object for each are used with. */
    @State(Scope.Thread)
    public abstract static class Scene {

        @Param({"1000", "10000"})
        int bodies;

        /** Fills the scene. */
        @Setup
        public void create() {
            fill(ShownMoment.of(bodies));
        }

        abstract void fill(FrameView view);
    }

    /** Moved by a backend. */
    public abstract static class Followed extends Scene {

        private SceneBodies<?> nodes;

        Followed(SceneBodies<?> none) {
            nodes = none;
        }

        @Override
        void fill(FrameView view) {
            nodes = follow(view);
            nodes.advance(ShownMoment.FRAME_NANOS);
        }

        abstract SceneBodies<?> follow(FrameView view);

        /** A frame whose poses are blended already. */
        final Object place() {
            nodes.update();
            return nodes;
        }

        /** A whole frame: what is blended for one is not kept for the next. */
        final Object blendAndPlace() {
            nodes.advance(ShownMoment.FRAME_NANOS);
            return nodes;
        }
    }

    /** The poses of the same frame in plain arrays. */
    public abstract static class Floor extends Scene {

        float[] positions = {};
        float[] rotations = {};

        @Override
        void fill(FrameView view) {
            view.advance(ShownMoment.FRAME_NANOS);
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
    public static class Jme extends Followed {

        final Node node = new Node();

        /** Made by JMH. */
        public Jme() {
            super(follow(ShownMoment.of(0), new Node()));
        }

        @Override
        SceneBodies<?> follow(FrameView view) {
            return follow(view, node);
        }

        private static SceneBodies<?> follow(FrameView view, Node node) {
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

        /** Made by JMH. */
        public JmeFloor() {}

        @Override
        void fill(FrameView view) {
            super.fill(view);
            spatials = new Spatial[bodies];
            for (int body = 0; body < bodies; body++) {
                spatials[body] = Jme.crate();
                node.attachChild(spatials[body]);
            }
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
    public static class Libgdx extends Followed {

        BodyInstances instances = follow(ShownMoment.of(0), new Model());

        /** Made by JMH. */
        public Libgdx() {
            super(follow(ShownMoment.of(0), new Model()));
        }

        @Override
        SceneBodies<?> follow(FrameView view) {
            instances = follow(view, new Model());
            return instances;
        }

        private static BodyInstances follow(FrameView view, Model crate) {
            return new BodyInstances(view, (bodyId, userData) -> new ModelInstance(crate));
        }
    }

    /** libGDX's model instances, from arrays. */
    public static class LibgdxFloor extends Floor {

        ModelInstance[] instances = {};

        /** Made by JMH. */
        public LibgdxFloor() {}

        @Override
        void fill(FrameView view) {
            super.fill(view);
            Model crate = new Model();
            instances = new ModelInstance[bodies];
            for (int body = 0; body < bodies; body++) {
                instances[body] = new ModelInstance(crate);
            }
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

    /** A view of {@link TumblingBodies} at a moment between two ticks, all of them moving. */
    static final class ShownMoment {

        private static final int WINDOW_SIZE = 3;
        private static final TickRate RATE = TumblingBodies.RATE;

        /** The instant of the frame: three tenths of the way from the second tick of the window to the third. */
        static final long FRAME_NANOS = RATE.nanosAt(WINDOW_SIZE) + RATE.nanosAt(1) * 3 / 10;

        private ShownMoment() {}

        /** A view that is yet to be advanced to the frame. */
        static FrameView of(int bodies) {
            Timeline timeline = new Timeline(RATE);
            timeline.start(0);
            SnapshotExchange exchange = new SnapshotExchange(WINDOW_SIZE, 1, bodies, RATE, PoseLayout.PLAIN, null);
            SnapshotWriter writer = exchange.writer();
            Capture capture = new Capture(new TumblingBodies(bodies), PoseLayout.PLAIN, RATE, bodies);
            for (long tick = 1; tick <= WINDOW_SIZE; tick++) {
                Snapshot latest = writer.latest();
                Snapshot snapshot = writer.nextSnapshot();
                snapshot.startTick(tick, timeline.dueNanos(tick));
                try {
                    capture.captureInto(snapshot, latest);
                } catch (Exception impossible) {
                    throw new AssertionError(impossible);
                }
                writer.publish(timeline, timeline.dueNanos(tick));
            }
            return FrameView.inline(exchange.attach());
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
