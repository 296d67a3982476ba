package example.guide;

import dev.escapement.physics.TickingWorld;
import dev.escapement.physics.dyn4j.Dyn4jWorldSimulation;
import dev.escapement.render.BodyVisitor;
import dev.escapement.render.FrameView;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.PoseBlock;
import java.util.Map;
import java.util.function.Supplier;
import org.dyn4j.dynamics.Body;
import org.joml.Vector3f;

/** Reads poses by the ids of bodies, one by one and all at once. */
final class Poses {

    private final Vector3f position = new Vector3f();

    static long idOf(TickingWorld physics, Dyn4jWorldSimulation<Body> world, Body body) throws Exception {
        long id = physics.query(tick -> world.idOf(body)).get().value(); // waits until the next tick has run the query
        return id;
    }

    boolean isHigherThan(FrameView view, long id, float metres) {
        return view.contains(id) // false before the body's first tick and after its last one
                && view.position(id, position).y > metres; // the interpolated position in this frame
    }

    static <T> void follow(FrameView view, Map<Long, T> scene, Supplier<T> newModel) {
        view.changes(new BodyVisitor() {
            @Override
            public void appeared(long id, long userData) { // userData is your own number, for example of a model
                scene.put(id, newModel.get());
            }

            @Override
            public void vanished(long id, long userData) {
                scene.remove(id);
            }
        });
    }

    static float highest(FrameView view) {
        Bodies bodies = view.shown().bodies();
        float highest = Float.NEGATIVE_INFINITY;
        for (int slot = 0; slot < bodies.slotCount(); slot++) {
            if (bodies.exists(slot)) {
                PoseBlock block = view.poses().blockOf(slot);
                highest = Math.max(highest, block.py[slot & PoseBlock.MASK]);
            }
        }
        return highest;
    }

    static long firstCapture(PoseWriter poses, long userData) {
        long id = poses.spawn(userData); // readers see the body from this tick on
        poses.set(poses.slotOf(id), 0, 1, 0, 0, 0, 0, 1);
        return id;
    }

    static void laterCapture(PoseWriter poses, long id, long other) {
        int slot = poses.slotOf(id); // a body that is not set has not moved, and costs nothing
        poses.set(slot, 50, 1, 0, 0, 0, 0, 1);
        poses.teleport(slot); // the body jumps to this pose, so frames must not interpolate
        poses.despawn(other);
    }
}
