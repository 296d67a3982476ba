package dev.escapement.bench.view;

import dev.escapement.bench.view.ViewMouse.Pointer;
import dev.escapement.render.lwjgl.Camera;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import java.util.function.Consumer;
import java.util.function.IntToLongFunction;
import org.joml.Intersectionf;
import org.joml.Quaternionf;
import org.joml.Vector2f;
import org.joml.Vector3f;

/**
 * Turns the left button into input: a press on a body takes hold of it, by where it is seen, and drags it across the picture; a press beside
 * all bodies is one on the floor.
 *
 * <p>Render thread.
 */
final class BodyDrag {

    private static final int NONE = -1;

    private final int bodies;

    // The corners of a body, seen from its own centre.
    private final Vector3f least;
    private final Vector3f most;

    private long presses;
    private int body = NONE;
    private boolean onFloor;
    private double lastX;
    private double lastY;

    /** How far from the eye, along the line of sight, the body is dragged. */
    private float depth;

    private final Vector3f offset = new Vector3f();
    private final Vector3f forward = new Vector3f();
    private final Vector3f direction = new Vector3f();
    private final Vector3f target = new Vector3f();
    private final Vector3f origin = new Vector3f();
    private final Vector3f towards = new Vector3f();
    private final Quaternionf rotation = new Quaternionf();
    private final Vector2f floor = new Vector2f();
    private final Vector2f span = new Vector2f();

    /** An event, for one world or for two beside each other: in each a body of the same slot has another id. */
    @FunctionalInterface
    interface Event {
        void offer(InputRing ring, long nanos, IntToLongFunction ids);
    }

    /** Drags the first bodies of a world, cubes of this size. */
    BodyDrag(int bodies, float halfExtent) {
        this.bodies = bodies;
        least = new Vector3f(-halfExtent);
        most = new Vector3f(halfExtent);
    }

    /** Whether the next frame starts with a press, so that it has to be said which part of the window it is in. */
    boolean isPressed(Pointer pointer) {
        return pointer.presses() != presses;
    }

    /**
     * A frame.
     *
     * @param pointer the button
     * @param camera  what the part of the window is seen through
     * @param x       the pointer in that part, -1 at its left edge, 1 at the right
     * @param y       -1 at its bottom, 1 at the top
     * @param poses   what it shows
     * @param to      where the input goes
     */
    void frame(Pointer pointer, Camera camera, float x, float y, PoseBlocks poses, Consumer<Event> to) {
        if (isPressed(pointer)) {
            presses = pointer.presses();
            release(to);
            press(camera, x, y, poses, to);
            lastX = x;
            lastY = y;
        }
        if (!pointer.held()) {
            release(to);
        } else if (body != NONE && (x != lastX || y != lastY)) {
            lastX = x;
            lastY = y;
            camera.direction(0, 0, forward);
            camera.direction(x, y, direction);
            target.set(direction)
                    .mul(depth / direction.dot(forward))
                    .add(camera.eye())
                    .add(offset);
            float height = Math.max(target.y, most.y);
            to.accept((ring, nanos, ids) -> DragInput.to(ring, nanos, target.x, height, target.z));
        }
    }

    private void press(Camera camera, float x, float y, PoseBlocks poses, Consumer<Event> to) {
        camera.direction(x, y, direction);
        float nearest = Float.POSITIVE_INFINITY;
        for (int slot = 0; slot < Math.min(bodies, poses.slotCount()); slot++) {
            float distance = distanceTo(poses.blockOf(slot), slot & PoseBlock.MASK, camera);
            if (distance < nearest) {
                nearest = distance;
                body = slot;
            }
        }
        if (body != NONE) {
            PoseBlock block = poses.blockOf(body);
            int i = body & PoseBlock.MASK;
            target.set(direction).mul(nearest).add(camera.eye());
            offset.set(block.px[i], block.py[i], block.pz[i]).sub(target);
            depth = nearest * direction.dot(camera.direction(0, 0, forward));
            to.accept((ring, nanos, ids) -> DragInput.hold(ring, nanos, ids.applyAsLong(body)));
        } else if (camera.floorPoint(x, y, floor)) {
            onFloor = true;
            to.accept((ring, nanos, ids) -> ring.offer(nanos, InputKind.POINTER_DOWN, 0, floor.x, floor.y));
        }
    }

    private void release(Consumer<Event> to) {
        if (body != NONE) {
            to.accept((ring, nanos, ids) -> DragInput.end(ring, nanos));
            body = NONE;
        } else if (onFloor) {
            onFloor = false;
            to.accept((ring, nanos, ids) -> ring.offer(nanos, InputKind.POINTER_UP, 0, floor.x, floor.y));
        }
    }

    /** How far along the direction a cube is met, infinitely if it is not. */
    private float distanceTo(PoseBlock block, int i, Camera camera) {
        rotation.set(block.qx[i], block.qy[i], block.qz[i], block.qw[i]).conjugate();
        rotation.transform(origin.set(camera.eye()).sub(block.px[i], block.py[i], block.pz[i]));
        rotation.transform(towards.set(direction));
        boolean met = Intersectionf.intersectRayAab(origin, towards, least, most, span);
        return met ? Math.max(0, span.x) : Float.POSITIVE_INFINITY;
    }
}
