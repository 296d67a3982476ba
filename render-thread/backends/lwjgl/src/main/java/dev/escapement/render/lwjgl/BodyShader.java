package dev.escapement.render.lwjgl;

import java.util.List;
import org.lwjgl.opengl.GL33C;

/**
 * Colours and lights the bodies.
 *
 * <p>The context's thread only.
 */
final class BodyShader implements AutoCloseable {

    private final ShaderProgram program =
            ShaderProgram.of(List.of("instance.glsl", "body.vert"), List.of("light.glsl", "body.frag"));
    private final int boxCountLocation = program.location("boxCount");

    BodyShader(ShadowMap shadows) {
        program.use().set("worldToShadow", shadows.worldToShadow()).set("toLight", ShadowMap.TO_LIGHT);
    }

    void look(Camera camera) {
        program.use().set("worldToClip", camera.worldToClip());
    }

    /** Draws all bodies; those with an index of {@code boxCount} or more are markers. */
    void draw(BodyMesh bodies, int boxCount) {
        program.use();
        GL33C.glUniform1i(boxCountLocation, boxCount);
        bodies.draw();
    }

    @Override
    public void close() {
        program.close();
    }
}
