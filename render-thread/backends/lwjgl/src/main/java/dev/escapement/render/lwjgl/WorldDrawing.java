package dev.escapement.render.lwjgl;

import dev.escapement.render.FrameView;
import dev.escapement.render.tools.KnownShapes;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.world.BodyShape;
import dev.escapement.state.world.WorldControl;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.joml.Matrix4f;
import org.joml.Vector3d;
import org.joml.Vector3f;
import org.joml.Vector3fc;
import org.jspecify.annotations.Nullable;
import org.lwjgl.opengl.GL33C;

/**
 * Draws any running world. The world reports the shapes of its bodies. The camera shows all of the first bodies until a caller places it. A
 * body is not drawn before the world has reported its shape. A body of unknown shape is a cube of 1 m, a mesh is the box around it.
 *
 * <p>{@link #show} on the main thread before the render loop starts, the other methods on the render thread. A frame allocates some vectors
 * if a caller has placed the camera.
 */
final class WorldDrawing implements WindowDrawing {

    /** The longest wait of the first picture for the shapes, which determine the size of the scene. */
    private static final long SHAPES_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final float HALF_EXTENT = 0.5f;

    /** The extent of the floor divided by the extent of the bodies. Above 1, so that moving bodies do not leave the floor immediately. */
    private static final double ROOM = 1.3;

    private static final double MIN_EXTENT = 1;

    /** After this many frames without bodies, a warning is logged. */
    private static final int FRAMES_UNTIL_MISSED = 60;

    /** If all bodies are higher than this, in metres, the floor is directly below them instead of at y = 0. */
    private static final double FAR_ABOVE = 20;

    private final BodyShapes own;
    private @Nullable KnownShapes shapes;

    private BodyShapes.Shape[] known = {};

    // Volatile: any thread writes it, the render thread reads it.
    private volatile @Nullable Look look;

    // Volatile: any thread writes it, the render thread reads it.
    volatile boolean withFloor = true;

    private @Nullable SceneDrawing scene;
    private final Vector3d origin = new Vector3d();
    /** The instant of the first frame with bodies. Tests set it back to skip the wait for the shapes. */
    long firstBodiesNanos;

    private boolean hasBodies;
    private int framesWithoutBodies;

    /** A camera's position and the point that it looks at, in metres from the origin of the shown snapshot. */
    private record Look(Vector3f from, Vector3f at) {}

    /** Creates a drawing; {@code own} changes the shapes that the world reports. */
    WorldDrawing(BodyShapes own) {
        this.own = own;
    }

    void show(WorldControl world) {
        shapes = new KnownShapes(world, System.nanoTime(), this::keep);
    }

    /** Places the camera. Any thread. */
    void look(Vector3fc from, Vector3fc at) {
        look = new Look(new Vector3f(from), new Vector3f(at));
    }

    private void keep(BodyShape shape, int slot) {
        int before = known.length;
        if (slot >= before) {
            known = Arrays.copyOf(known, Math.max(slot + 1, 2 * before));
            Arrays.setAll(known, i -> i < before ? known[i] : new BodyShapes.Shape());
        }
        known[slot].reset(HALF_EXTENT, slot);
        known[slot].like(shape);
    }

    private void describe(int slot, long userData, BodyShapes.Shape shape) {
        if (shapes != null && shapes.isKnown(slot)) {
            shape.like(known[slot]);
        } else if (shapes != null && !shapes.isAnswered(slot)) {
            shape.hide();
        }
        own.describe(slot, userData, shape);
    }

    @Override
    public void open() {
        hasBodies = false;
    }

    @Override
    public void draw(FrameView view, int width, int height) {
        if (shapes == null) {
            throw new IllegalStateException(
                    "this window was opened without a drawing; show a world with GlfwWindow.show");
        }
        Snapshot shown = view.shown();
        shapes.update(shown, System.nanoTime());
        if (!hasBodies && shown.bodies().count() > 0) {
            hasBodies = true;
            firstBodiesNanos = System.nanoTime();
        }
        if (!hasBodies && ++framesWithoutBodies == FRAMES_UNTIL_MISSED) {
            System.getLogger("dev.escapement.render")
                    .log(
                            System.Logger.Level.WARNING,
                            "The window is empty, for the world shows no bodies: call simulation.attach(body, userData) for each"
                                    + " that is to be seen");
        }
        if (scene == null && isReady()) {
            scene = new SceneDrawing(fit(view), this::describe, origin);
            scene.open();
        }
        Look placed = look;
        if (scene == null) {
            GL33C.glClearColor(0.8f, 0.83f, 0.87f, 1);
            GL33C.glClear(GL33C.GL_COLOR_BUFFER_BIT);
            return;
        }
        scene.withFloor = withFloor;
        if (placed == null) {
            scene.draw(view, width, height);
        } else {
            Vector3f moved = new Vector3f(new Vector3d(shown.originX(), shown.originY(), shown.originZ()).sub(origin));
            Camera camera = Camera.framing(scene.scene(), width, height)
                    .look(moved.add(placed.from, new Vector3f()), moved.add(placed.at, new Vector3f()));
            scene.draw(0, width, height, camera, view.interpolator());
        }
    }

    private boolean isReady() {
        return hasBodies
                && ((shapes != null && shapes.isComplete()) || System.nanoTime() - firstBodiesNanos > SHAPES_NANOS);
    }

    /**
     * Fits a scene that has all bodies above its floor, and sets its origin. The floor is at y = 0 unless a body is below that, or all
     * bodies are far above.
     */
    private SceneView fit(FrameView view) {
        Snapshot shown = view.shown();
        Vector3f low = new Vector3f(Float.POSITIVE_INFINITY);
        Vector3f high = new Vector3f(Float.NEGATIVE_INFINITY);
        BodyShapes.Shape shape = new BodyShapes.Shape();
        Vector3f bodyLow = new Vector3f();
        Vector3f bodyHigh = new Vector3f();
        for (int slot = 0; slot < shown.bodies().slotCount(); slot++) {
            if (shown.bodies().exists(slot)) {
                shape.reset(HALF_EXTENT, slot);
                describe(slot, shown.bodies().userData(slot), shape);
                shape.bounds(view.transform(shown.bodies().id(slot), new Matrix4f()), bodyLow, bodyHigh);
                low.min(bodyLow);
                high.max(bodyHigh);
            }
        }
        double lowest = low.y + shown.originY();
        double floor = lowest >= 0 && lowest <= FAR_ABOVE ? 0 : lowest;
        double tall = Math.max(MIN_EXTENT, high.y + shown.originY() - floor);
        double wide = Math.max(MIN_EXTENT, Math.max(high.x - low.x, high.z - low.z) / 2);
        origin.set((low.x + high.x) / 2 + shown.originX(), floor, (low.z + high.z) / 2 + shown.originZ());
        return new SceneView((float) Math.max(ROOM * wide, tall), HALF_EXTENT, (float) tall);
    }

    @Override
    public void close() {
        if (scene != null) {
            scene.close();
            scene = null;
        }
    }
}
