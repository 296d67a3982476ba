package dev.escapement.render.lwjgl;

import org.jspecify.annotations.Nullable;
import org.lwjgl.opengl.GL33C;

/**
 * The passes of a picture: the background, the floor with its grid, the bodies. The shaders of the first two compute them without
 * vertices.
 *
 * <p>The context's thread only.
 */
final class ScenePasses implements AutoCloseable {

    /** Enough for spheres that look round. Plain cubes have none, because a software renderer would take three times as long. */
    private static final int ROUND_DIVISIONS = 8;

    final BodyMesh bodies;
    private final int noVertices = GL33C.glGenVertexArrays();
    private final ShaderProgram background = ShaderProgram.of("background");
    private final ShaderProgram floor = ShaderProgram.of("floor");
    private final ShaderProgram body = ShaderProgram.of("body");
    private @Nullable Camera camera;

    ScenePasses(SceneView scene, boolean cubesOnly) {
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
