package dev.escapement.render.lwjgl;

import java.util.List;
import org.lwjgl.opengl.GL33C;

/**
 * Colours and lights the boxes.
 *
 * <p>The context's thread only.
 */
final class BoxShader implements AutoCloseable {

    /** A marker's edge in edges of a box. */
    private static final float MARKER_SCALE = 0.6f;

    private final ShaderProgram program =
            ShaderProgram.of(List.of("instance.glsl", "box.vert"), List.of("light.glsl", "box.frag"));
    private final int boxCountLocation = program.location("boxCount");

    BoxShader(SceneView scene, ShadowMap shadows) {
        setSizes(program.use(), scene)
                .set("worldToShadow", shadows.worldToShadow())
                .set("toLight", ShadowMap.TO_LIGHT);
    }

    /** Says how large boxes and markers are, to a program in use that has instance.glsl in it. */
    static ShaderProgram setSizes(ShaderProgram program, SceneView scene) {
        return program.set("boxHalfExtent", scene.boxHalfExtent())
                .set("markerHalfExtent", scene.boxHalfExtent() * MARKER_SCALE);
    }

    void look(Camera camera) {
        program.use().set("worldToClip", camera.worldToClip());
    }

    /** Draws all bodies; those from {@code boxCount} on are markers. */
    void draw(BoxMesh boxes, int boxCount) {
        program.use();
        GL33C.glUniform1i(boxCountLocation, boxCount);
        boxes.draw();
    }

    @Override
    public void close() {
        program.close();
    }
}
