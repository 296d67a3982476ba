package dev.escapement.bench.view;

import dev.escapement.render.lwjgl.Camera;
import dev.escapement.state.input.DragInput;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.time.NanoClock;
import org.joml.Intersectionf;
import org.joml.Quaternionf;
import org.joml.Vector2f;
import org.joml.Vector3f;

/**
 * Turns the left button into input: a press on a body drags it across the picture; any other press is one on the floor.
 *
 * <p>Render thread. Allocates for each press and each move of a drag.
 */
final class BodyDrag {

    private static final int NONE = -1;

    private final int draggable;
    private final float halfExtent;
    private final NanoClock clock;
    private Pointer last = Pointer.UNTOUCHED;
    private int body = NONE;
    private boolean onFloor;

    /** The distance from the eye, along the line of sight, at which the body is dragged. */
    private float depth;

    /** From the point where the body was taken to its centre. */
    private final Vector3f offset = new Vector3f();

    private final Vector2f floor = new Vector2f();

    /**
     * The pointer.
     *
     * @param x       where it is, 0 at the window's left edge, 1 at the right
     * @param y       0 at the top, 1 at the bottom
     * @param held    whether its left button is down
     * @param presses how often that went down
     */
    record Pointer(double x, double y, boolean held, long presses) {

        static final Pointer UNTOUCHED = new Pointer(0, 0, false, 0);
    }

    /** Drags the first bodies of a world, cubes of this size; the clock is the one of the input. */
    BodyDrag(int draggable, float halfExtent, NanoClock clock) {
        this.draggable = draggable;
        this.halfExtent = halfExtent;
        this.clock = clock;
    }

    /** Whether the next frame starts with a press: then the caller chooses the part of the window. */
    boolean isPressed(Pointer pointer) {
        return pointer.presses() != last.presses();
    }

    /**
     * A frame. What the ring refuses is offered again in the next one.
     *
     * @param pointer the button
     * @param across  where the pointer is in its part of the window, 0 at the left edge, 1 at the right
     * @param camera  the camera of that part
     * @param poses   the poses that it shows
     * @param bodies  the bodies with these poses
     * @param ring    takes the input
     */
    void frame(Pointer pointer, double across, Camera camera, PoseBlocks poses, Bodies bodies, InputRing ring) {
        if (pointer.equals(last)) {
            return;
        }
        float x = (float) (2 * across - 1);
        float y = (float) (1 - 2 * pointer.y());
        boolean accepted = true;
        if (isPressed(pointer)) {
            accepted = release(ring) && press(camera, x, y, poses, bodies, ring);
        } else if (body != NONE && pointer.held()) {
            Vector3f direction = camera.direction(x, y, new Vector3f());
            float distance = depth / direction.dot(camera.direction(0, 0, new Vector3f()));
            Vector3f to = direction.mul(distance).add(camera.eye()).add(offset);
            accepted = DragInput.to(ring, clock.nanoTime(), to.x, Math.max(to.y, halfExtent), to.z);
        }
        if (accepted) {
            boolean held = pointer.held() || !release(ring);
            last = new Pointer(pointer.x(), pointer.y(), held, pointer.presses());
        }
    }

    private boolean press(Camera camera, float x, float y, PoseBlocks poses, Bodies bodies, InputRing ring) {
        Vector3f direction = camera.direction(x, y, new Vector3f());
        float nearest = Float.POSITIVE_INFINITY;
        for (int slot = 0; slot < Math.min(draggable, poses.slotCount()); slot++) {
            float distance = distanceTo(poses.blockOf(slot), slot & PoseBlock.MASK, camera, direction);
            if (distance < nearest) {
                nearest = distance;
                body = slot;
            }
        }
        if (body != NONE) {
            PoseBlock block = poses.blockOf(body);
            int i = body & PoseBlock.MASK;
            depth = nearest * direction.dot(camera.direction(0, 0, new Vector3f()));
            Vector3f taken = direction.mul(nearest).add(camera.eye());
            offset.set(block.px[i], block.py[i], block.pz[i]).sub(taken);
            if (!DragInput.hold(ring, clock.nanoTime(), bodies.exists(body) ? bodies.id(body) : body)) {
                body = NONE;
                return false;
            }
        } else if (camera.floorPoint(x, y, floor)) {
            onFloor = ring.offer(clock.nanoTime(), InputKind.POINTER_DOWN, 0, floor.x, floor.y);
            return onFloor;
        }
        return true;
    }

    private boolean release(InputRing ring) {
        if (body != NONE && DragInput.end(ring, clock.nanoTime())) {
            body = NONE;
        } else if (onFloor) {
            onFloor = !ring.offer(clock.nanoTime(), InputKind.POINTER_UP, 0, floor.x, floor.y);
        }
        return body == NONE && !onFloor;
    }

    /** The distance along the direction at which it meets a cube, infinite if it does not. */
    private float distanceTo(PoseBlock block, int i, Camera camera, Vector3f direction) {
        Quaternionf toCube = new Quaternionf(block.qx[i], block.qy[i], block.qz[i], block.qw[i]).conjugate();
        Vector3f origin = toCube.transform(new Vector3f(camera.eye()).sub(block.px[i], block.py[i], block.pz[i]));
        Vector3f towards = toCube.transform(new Vector3f(direction));
        Vector2f span = new Vector2f();
        boolean met = Intersectionf.intersectRayAab(
                origin, towards, new Vector3f(-halfExtent), new Vector3f(halfExtent), span);
        return met ? Math.max(0, span.x) : Float.POSITIVE_INFINITY;
    }
}
