package dev.escapement.render.lwjgl;

import java.util.List;
import org.lwjgl.opengl.GL33C;

/**
 * The floor with its grid, and the background behind everything. Both are computed in their shaders, without vertices.
 *
 * <p>The context's thread only.
 */
final class FloorAndSky implements AutoCloseable {

    private final int noVertices = GL33C.glGenVertexArrays();
    private final ShaderProgram background = ShaderProgram.of(List.of("background.vert"), List.of("background.frag"));
    private final ShaderProgram floor = ShaderProgram.of(List.of("floor.vert"), List.of("light.glsl", "floor.frag"));

    FloorAndSky(SceneView scene, ShadowMap shadows) {
        floor.use()
                .set("floorHalfExtent", scene.floorHalfExtent())
                .set("worldToShadow", shadows.worldToShadow())
                .set("toLight", ShadowMap.TO_LIGHT);
    }

    void look(Camera camera) {
        floor.use().set("worldToClip", camera.worldToClip());
    }

    void draw(boolean withFloor) {
        GL33C.glBindVertexArray(noVertices);
        GL33C.glDepthMask(false);
        background.use();
        GL33C.glDrawArrays(GL33C.GL_TRIANGLES, 0, 3);
        GL33C.glDepthMask(true);
        if (withFloor) {
            floor.use();
            GL33C.glDrawArrays(GL33C.GL_TRIANGLE_STRIP, 0, 4);
        }
    }

    @Override
    public void close() {
        background.close();
        floor.close();
        GL33C.glDeleteVertexArrays(noVertices);
    }
}
