package dev.escapement.render.lwjgl;

import dev.escapement.render.FrameView;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.KnownShapes;
import dev.escapement.state.world.TriangleMesh;
import dev.escapement.state.world.WorldControl;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.joml.Vector3d;
import org.joml.Vector3f;
import org.jspecify.annotations.Nullable;
import org.lwjgl.opengl.GL33C;

/**
 * Draws any running world: the world reports the shapes of its bodies, and the camera fits the first bodies it sees. A body of an unknown
 * shape is drawn as a cube of 1 m, a mesh as the box around it.
 *
 * <p>{@link #show} on the main thread before the render loop starts, the other methods on the render thread.
 */
final class WorldDrawing implements WindowDrawing {

    /** The first picture waits at most this long for the shapes, because the size of the scene depends on them. */
    private static final long SHAPES_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final float HALF_EXTENT = 0.5f;
    private static final BodyShape.Form CUBE = new BodyShape.Box(HALF_EXTENT, HALF_EXTENT, HALF_EXTENT);

    /** The floor reaches this much farther than the bodies, so that they do not leave it immediately. */
    private static final double ROOM = 1.3;

    private static final double MIN_EXTENT = 1;

    /** If all bodies are higher than this above y = 0, the floor is not there; metres. */
    private static final double FAR_ABOVE = 20;

    private @Nullable KnownShapes shapes;

    /** Per slot: the form of its body, null if not known. */
    private BodyShape.@Nullable Form[] forms = {};

    private @Nullable SceneDrawing scene;
    private long firstBodiesNanos;
    private boolean hasBodies;

    /** Sets the world to show. */
    void show(WorldControl world) {
        shapes = new KnownShapes(world, System.nanoTime(), this::keep);
    }

    private void keep(int slot, BodyShape shape) {
        if (slot >= forms.length) {
            forms = Arrays.copyOf(forms, Math.max(slot + 1, 2 * forms.length));
        }
        forms[slot] = shape.form() instanceof TriangleMesh mesh ? boxAround(mesh) : shape.form();
    }

    private static BodyShape.Box boxAround(TriangleMesh mesh) {
        float[] half = new float[3];
        float[] corners = mesh.corners();
        for (int i = 0; i < corners.length; i++) {
            half[i % 3] = Math.max(half[i % 3], Math.abs(corners[i]));
        }
        return new BodyShape.Box(half[0], half[1], half[2]);
    }

    /** The form of the body in a slot, a cube if it is not known. */
    private BodyShape.Form form(int slot) {
        BodyShape.Form known = shapes != null && shapes.isKnown(slot) ? forms[slot] : null;
        return known == null ? CUBE : known;
    }

    @Override
    public void open() {
        hasBodies = false;
    }

    @Override
    public void draw(FrameView view, int width, int height) {
        if (shapes == null) {
            throw new IllegalStateException(
                    "this window was opened without a scene; show a world with GlfwWindow.show");
        }
        shapes.update(view.shown(), System.nanoTime());
        if (!hasBodies && view.shown().bodies().count() > 0) {
            hasBodies = true;
            firstBodiesNanos = System.nanoTime();
        }
        if (scene == null && isReady()) {
            scene = fit(view);
            scene.open();
        }
        if (scene == null) {
            GL33C.glClearColor(0.8f, 0.83f, 0.87f, 1);
            GL33C.glClear(GL33C.GL_COLOR_BUFFER_BIT);
        } else {
            scene.draw(view, width, height);
        }
    }

    private boolean isReady() {
        return hasBodies
                && ((shapes != null && shapes.isComplete()) || System.nanoTime() - firstBodiesNanos > SHAPES_NANOS);
    }

    /** A scene that has all bodies above its floor, which is at y = 0 unless bodies are below that, or far above. */
    private SceneDrawing fit(FrameView view) {
        Snapshot shown = view.shown();
        Vector3d low = new Vector3d(Double.POSITIVE_INFINITY);
        Vector3d high = new Vector3d(Double.NEGATIVE_INFINITY);
        Vector3f at = new Vector3f();
        for (int slot = 0; slot < shown.bodies().slotCount(); slot++) {
            if (shown.bodies().exists(slot)) {
                double reach = reach(form(slot));
                Vector3d place = new Vector3d(view.positionOfSlot(slot, at))
                        .add(shown.originX(), shown.originY(), shown.originZ());
                low.min(new Vector3d(place).sub(reach, reach, reach));
                high.max(new Vector3d(place).add(reach, reach, reach));
            }
        }
        double floor = low.y >= 0 && low.y <= FAR_ABOVE ? 0 : low.y;
        double tall = Math.max(MIN_EXTENT, high.y - floor);
        double wide = Math.max(MIN_EXTENT, Math.max(high.x - low.x, high.z - low.z) / 2);
        return new SceneDrawing(
                new SceneView((float) Math.max(ROOM * wide, tall), HALF_EXTENT, (float) tall, 0),
                this::describe,
                new Vector3d((low.x + high.x) / 2, floor, (low.z + high.z) / 2));
    }

    /** The radius of a form around the origin of its body. */
    private static double reach(BodyShape.Form form) {
        if (form instanceof BodyShape.Sphere sphere) {
            return sphere.radius();
        }
        if (form instanceof BodyShape.Capsule capsule) {
            return capsule.radius() + capsule.halfHeight();
        }
        BodyShape.Box box = (BodyShape.Box) form;
        return Math.sqrt(box.halfX() * box.halfX() + box.halfY() * box.halfY() + box.halfZ() * box.halfZ());
    }

    private void describe(int slot, long userData, BodyShapes.Shape shape) {
        BodyShape.Form form = form(slot);
        if (form instanceof BodyShape.Box box) {
            shape.box(box.halfX(), box.halfY(), box.halfZ());
        } else if (form instanceof BodyShape.Sphere sphere) {
            shape.sphere(sphere.radius());
        } else if (form instanceof BodyShape.Capsule capsule) {
            shape.capsule(capsule.radius(), capsule.halfHeight());
        }
    }

    @Override
    public void close() {
        if (scene != null) {
            scene.close();
            scene = null;
        }
    }
}
