package dev.escapement.render.lwjgl;

import java.nio.FloatBuffer;
import org.jspecify.annotations.Nullable;
import org.lwjgl.opengl.GL33C;

/**
 * Draws a scene: the shadows, then surroundings and boxes, all boxes in one call each time.
 *
 * <p>The context's thread only. Allocates nothing per frame.
 */
final class SceneRenderer implements AutoCloseable {

    private final int markers;
    private final BoxMesh boxes;
    private final ShadowMap shadows;
    private final Surroundings surroundings;
    private final BoxShader boxShader;
    private @Nullable Camera shownCamera;

    private SceneRenderer(
            int markers, BoxMesh boxes, ShadowMap shadows, Surroundings surroundings, BoxShader boxShader) {
        this.markers = markers;
        this.boxes = boxes;
        this.shadows = shadows;
        this.surroundings = surroundings;
        this.boxShader = boxShader;
    }

    /**
     * Creates everything that drawing needs, in the current context.
     *
     * @throws NoOpenGlException if the driver cannot do it; then the context is of no more use, and frees what there was
     */
    static SceneRenderer create(SceneView scene) {
        BoxMesh boxes = new BoxMesh();
        ShadowMap shadows = new ShadowMap(scene);
        Surroundings surroundings = new Surroundings(scene, shadows);
        BoxShader boxShader = new BoxShader(scene, shadows);
        GL33C.glEnable(GL33C.GL_CULL_FACE);
        GL33C.glEnable(GL33C.GL_DEPTH_TEST);
        GL33C.glDepthFunc(GL33C.GL_LEQUAL);
        GL33C.glEnable(GL33C.GL_MULTISAMPLE);
        GlContext.check("creating the scene");
        return new SceneRenderer(scene.markers(), boxes, shadows, surroundings, boxShader);
    }

    /**
     * Draws one frame.
     *
     * @param viewport    the size, and the camera to look through
     * @param framebuffer where to, 0 for the window
     * @param boxesAndMarkers a pose for each, see {@link dev.escapement.render.interpolation.InstanceFormat#POSE}
     */
    void draw(Viewport viewport, int framebuffer, FloatBuffer boxesAndMarkers) {
        if (shownCamera != viewport.camera()) {
            shownCamera = viewport.camera();
            surroundings.look(shownCamera);
            boxShader.look(shownCamera);
        }
        boxes.upload(boxesAndMarkers);
        int boxCount = Math.max(0, boxes.bodies() - markers);
        shadows.draw(boxes, boxCount);

        GL33C.glBindFramebuffer(GL33C.GL_FRAMEBUFFER, framebuffer);
        GL33C.glViewport(0, 0, viewport.width(), viewport.height());
        GL33C.glClear(GL33C.GL_DEPTH_BUFFER_BIT);
        surroundings.draw();
        boxShader.draw(boxes, boxCount);
    }

    @Override
    public void close() {
        boxShader.close();
        surroundings.close();
        shadows.close();
        boxes.close();
    }
}
