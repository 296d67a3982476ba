package dev.escapement.render.lwjgl;

import dev.escapement.render.FrameView;
import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.render.tools.InstanceBuffer;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.PoseBlocks;
import java.nio.FloatBuffer;
import java.util.Objects;
import org.joml.Vector3d;
import org.joml.Vector3dc;
import org.jspecify.annotations.Nullable;
import org.lwjgl.opengl.GL33C;

/**
 * A demonstration renderer: boxes, spheres and capsules on a floor, all bodies in one call. For a game of your own, implement
 * {@link WindowDrawing} instead.
 *
 * <pre>{@code
 * SceneDrawing drawing = new SceneDrawing(scene, shapes);
 * GlfwWindow window = GlfwWindow.open("My world", 1280, 720, drawing);
 * }</pre>
 *
 * <p>The context's thread only. Allocates nothing per frame unless the number of bodies or the picture's size grows.
 */
public final class SceneDrawing implements WindowDrawing {

    private static final BodyShapes CUBES = (slot, userData, shape) -> {};

    private final SceneView scene;
    private final BodyShapes shapes;
    private final Vector3dc origin;
    private final InstanceBuffer instances = new InstanceBuffer();
    private @Nullable Passes passes;
    private int framedWidth;
    private int framedHeight;
    private @Nullable Camera framedCamera;
    boolean withFloor = true; // the context's thread only

    /**
     * Draws every body as a cube of the same size.
     *
     * @param scene the floor and the size of the cubes
     */
    public SceneDrawing(SceneView scene) {
        this(scene, CUBES);
    }

    /**
     * Draws every body with its own shape.
     *
     * @param scene  the floor and the size of default cubes
     * @param shapes describes each body; a body that it does not describe is a cube of the scene's size
     */
    public SceneDrawing(SceneView scene, BodyShapes shapes) {
        this(scene, shapes, new Vector3d());
    }

    /**
     * Draws a part of a world.
     *
     * @param scene  the floor and the size of default cubes
     * @param shapes describes each body; a body that it does not describe is a cube of the scene's size
     * @param origin the place in the world that is the middle of the scene's floor, metres
     */
    SceneDrawing(SceneView scene, BodyShapes shapes, Vector3dc origin) {
        this.scene = scene;
        this.shapes = shapes;
        this.origin = origin;
    }

    /**
     * Creates the shaders, meshes and buffers in the current context.
     *
     * @throws NoOpenGlException if the driver cannot create them; then the context is unusable, and destroying it frees everything
     */
    @Override
    public void open() {
        passes = new Passes(scene, shapes == CUBES);
        GL33C.glEnable(GL33C.GL_CULL_FACE);
        GL33C.glEnable(GL33C.GL_DEPTH_TEST);
        GL33C.glDepthFunc(GL33C.GL_LEQUAL);
        GL33C.glEnable(GL33C.GL_MULTISAMPLE);
        GlContext.check("creating the scene");
    }

    @Override
    public void draw(FrameView view, int width, int height) {
        if (framedCamera == null || framedWidth != width || framedHeight != height) {
            framedWidth = width;
            framedHeight = height;
            framedCamera = Camera.framing(scene, width, height);
        }
        draw(0, width, height, framedCamera, view.interpolator());
    }

    /**
     * Draws a part of a frame of the window, as high as the window, through your own camera.
     *
     * @param left   its left edge, in pixels
     * @param width  its width, in pixels
     * @param height the height of the window, in pixels
     * @param camera made for the aspect of this part
     * @param moment the bodies' poses
     */
    public void draw(int left, int width, int height, Camera camera, Interpolator moment) {
        GL33C.glViewport(left, 0, width, height);
        draw(
                camera,
                instances.write(moment, origin.x(), origin.y(), origin.z()),
                moment.shown().bodies());
    }

    SceneView scene() {
        return scene;
    }

    void draw(Camera camera, PoseBlocks poses) {
        draw(camera, instances.write(poses), null);
    }

    private void draw(Camera camera, FloatBuffer poses, @Nullable Bodies describedBy) {
        Passes opened = Objects.requireNonNull(passes, "open this drawing before drawing with it");
        opened.bodies.upload(poses, instances, shapes, describedBy);
        GL33C.glClear(GL33C.GL_DEPTH_BUFFER_BIT);
        opened.draw(camera, withFloor);
    }

    @Override
    public void close() {
        if (passes != null) {
            passes.close();
            passes = null;
        }
    }

    /**
     * The passes of a frame: the background, the floor with its grid, the bodies. The shaders of background and floor need no vertex data.
     */
    private static final class Passes implements AutoCloseable {

        /**
         * The number of parts of a cube's edge with which spheres look round. Plain cubes have undivided edges, because a software renderer
         * would take three times as long.
         */
        private static final int ROUND_DIVISIONS = 8;

        final BodyMesh bodies;
        private final int noVertices = GL33C.glGenVertexArrays();
        private final ShaderProgram background = ShaderProgram.of("background");
        private final ShaderProgram floor = ShaderProgram.of("floor");
        private final ShaderProgram body = ShaderProgram.of("body");
        private @Nullable Camera camera;

        Passes(SceneView scene, boolean cubesOnly) {
            bodies = new BodyMesh(scene, cubesOnly ? 1 : ROUND_DIVISIONS);
            floor.use().set("floorHalfExtent", scene.floorHalfExtent());
        }

        void draw(Camera newCamera, boolean withFloor) {
            if (camera != newCamera) {
                camera = newCamera;
                floor.use().set("worldToClip", newCamera.worldToClip());
                body.use().set("worldToClip", newCamera.worldToClip());
            }
            GL33C.glBindVertexArray(noVertices);
            GL33C.glDepthMask(false);
            background.use();
            GL33C.glDrawArrays(GL33C.GL_TRIANGLES, 0, 3);
            GL33C.glDepthMask(true);
            if (withFloor) {
                floor.use();
                GL33C.glDrawArrays(GL33C.GL_TRIANGLE_STRIP, 0, 4);
            }
            body.use();
            bodies.draw();
        }

        @Override
        public void close() {
            body.close();
            floor.close();
            background.close();
            GL33C.glDeleteVertexArrays(noVertices);
            bodies.close();
        }
    }
}
