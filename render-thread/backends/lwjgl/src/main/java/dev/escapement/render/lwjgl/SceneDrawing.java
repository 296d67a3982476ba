package dev.escapement.render.lwjgl;

import dev.escapement.render.FrameView;
import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.render.tools.InstanceBuffer;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.PoseBlocks;
import java.nio.FloatBuffer;
import org.joml.Vector3d;
import org.joml.Vector3dc;
import org.jspecify.annotations.Nullable;
import org.lwjgl.opengl.GL33C;

/**
 * A demonstration renderer: boxes, spheres and capsules with shadows on a floor, each pass in one call. For a game of your own, implement
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

    private final SceneView scene;
    private final @Nullable BodyShapes shapes;
    private final Vector3dc origin;
    private final InstanceBuffer instances = new InstanceBuffer();
    private @Nullable Parts parts;
    private @Nullable Viewport framedViewport;
    private @Nullable Camera framedCamera;
    boolean withFloor = true; // the context's thread, as all else

    /** What is in the context, and which camera it has. */
    private static final class Parts {
        final BodyMesh bodies;
        final ShadowMap shadows;
        final FloorAndSky floorAndSky;
        final BodyShader bodyShader;

        @Nullable
        Camera camera;

        Parts(SceneView scene, @Nullable BodyShapes shapes) {
            bodies = new BodyMesh(scene, shapes);
            shadows = new ShadowMap(scene);
            floorAndSky = new FloorAndSky(scene, shadows);
            bodyShader = new BodyShader(shadows);
        }

        void look(Camera newCamera) {
            if (camera != newCamera) {
                camera = newCamera;
                floorAndSky.look(newCamera);
                bodyShader.look(newCamera);
            }
        }

        void close() {
            bodyShader.close();
            floorAndSky.close();
            shadows.close();
            bodies.close();
        }
    }

    /**
     * Draws every body as a cube of the same size.
     *
     * @param scene what there is to see
     */
    public SceneDrawing(SceneView scene) {
        this(scene, null);
    }

    /**
     * Draws every body with a shape of its own.
     *
     * @param scene  what there is to see
     * @param shapes which shape each body has; null for cubes of the scene's size
     */
    public SceneDrawing(SceneView scene, @Nullable BodyShapes shapes) {
        this(scene, shapes, new Vector3d());
    }

    /**
     * Draws a part of a world.
     *
     * @param scene  what there is to see
     * @param shapes which shape each body has; null for cubes of the scene's size
     * @param origin the place in the world that is the middle of the scene's floor, metres
     */
    SceneDrawing(SceneView scene, @Nullable BodyShapes shapes, Vector3dc origin) {
        this.scene = scene;
        this.shapes = shapes;
        this.origin = origin;
    }

    /**
     * Creates everything that drawing needs, in the current context.
     *
     * @throws NoOpenGlException if the driver cannot do it; the context cannot be used then, and destroying it frees everything
     */
    @Override
    public void open() {
        parts = new Parts(scene, shapes);
        GL33C.glEnable(GL33C.GL_CULL_FACE);
        GL33C.glEnable(GL33C.GL_DEPTH_TEST);
        GL33C.glDepthFunc(GL33C.GL_LEQUAL);
        GL33C.glEnable(GL33C.GL_MULTISAMPLE);
        GlContext.check("creating the scene");
    }

    @Override
    public void draw(FrameView view, int width, int height) {
        if (framedViewport == null || framedViewport.width() != width || framedViewport.height() != height) {
            framedViewport = new Viewport(0, 0, width, height);
            framedCamera = null;
        }
        if (framedCamera == null) {
            framedCamera = Camera.framing(scene, width, height);
        }
        draw(framedViewport, framedCamera, view.interpolator());
    }

    /**
     * Draws a part of a frame of the window, through your own camera.
     *
     * @param viewport the part of the window
     * @param camera   made for the viewport's aspect
     * @param moment   the bodies' poses
     */
    public void draw(Viewport viewport, Camera camera, Interpolator moment) {
        draw(
                viewport,
                camera,
                0,
                instances.write(moment, origin.x(), origin.y(), origin.z()),
                moment.shown().bodies());
    }

    void draw(Viewport viewport, Camera camera, int framebuffer, PoseBlocks poses) {
        draw(viewport, camera, framebuffer, instances.write(poses), null);
    }

    private void draw(
            Viewport viewport, Camera camera, int framebuffer, FloatBuffer poses, @Nullable Bodies describedBy) {
        if (parts == null) {
            throw new IllegalStateException("open this drawing before drawing with it");
        }
        parts.look(camera);
        parts.bodies.upload(poses);
        if (shapes != null) {
            parts.bodies.uploadShapes(shapes, describedBy, instances);
        }
        int boxCount = Math.max(0, parts.bodies.count() - scene.markers());
        parts.shadows.draw(parts.bodies, boxCount);

        GL33C.glBindFramebuffer(GL33C.GL_FRAMEBUFFER, framebuffer);
        GL33C.glViewport(viewport.x(), viewport.y(), viewport.width(), viewport.height());
        GL33C.glClear(GL33C.GL_DEPTH_BUFFER_BIT);
        parts.floorAndSky.draw(withFloor);
        parts.bodyShader.draw(parts.bodies, boxCount);
    }

    @Override
    public void close() {
        if (parts != null) {
            parts.close();
            parts = null;
        }
    }
}
