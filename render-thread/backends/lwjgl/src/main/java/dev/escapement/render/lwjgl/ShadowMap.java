package dev.escapement.render.lwjgl;

import java.util.List;
import org.joml.Matrix4f;
import org.joml.Matrix4fc;
import org.joml.Vector3f;
import org.joml.Vector3fc;
import org.lwjgl.opengl.GL33C;

/**
 * The shadow map: the depth of the bodies as seen from the light, over the whole scene.
 *
 * <p>The context's thread only.
 */
final class ShadowMap implements AutoCloseable {

    /** Where the light is, a unit vector. Behind the viewer's left shoulder, so that the three visible faces differ. */
    static final Vector3fc TO_LIGHT = new Vector3f(-0.45f, 0.8f, 0.4f).normalize();

    private static final int SIZE = 2048;

    private final int depthTexture = GL33C.glGenTextures();
    private final int framebuffer = GL33C.glGenFramebuffers();
    private final ShaderProgram program =
            ShaderProgram.of(List.of("instance.glsl", "shadow.vert"), List.of("shadow.frag"));
    private final int boxCountLocation;
    private final Matrix4f worldToShadow;

    ShadowMap(SceneView scene) {
        GL33C.glBindTexture(GL33C.GL_TEXTURE_2D, depthTexture);
        GL33C.glTexImage2D(
                GL33C.GL_TEXTURE_2D,
                0,
                GL33C.GL_DEPTH_COMPONENT24,
                SIZE,
                SIZE,
                0,
                GL33C.GL_DEPTH_COMPONENT,
                GL33C.GL_UNSIGNED_INT,
                0L);
        parameter(GL33C.GL_TEXTURE_MIN_FILTER, GL33C.GL_LINEAR);
        parameter(GL33C.GL_TEXTURE_MAG_FILTER, GL33C.GL_LINEAR);
        parameter(GL33C.GL_TEXTURE_COMPARE_MODE, GL33C.GL_COMPARE_REF_TO_TEXTURE);
        // Everything outside the map is lit: the border has the greatest depth.
        parameter(GL33C.GL_TEXTURE_WRAP_S, GL33C.GL_CLAMP_TO_BORDER);
        parameter(GL33C.GL_TEXTURE_WRAP_T, GL33C.GL_CLAMP_TO_BORDER);
        GL33C.glTexParameterfv(GL33C.GL_TEXTURE_2D, GL33C.GL_TEXTURE_BORDER_COLOR, new float[] {1, 1, 1, 1});

        GL33C.glBindFramebuffer(GL33C.GL_FRAMEBUFFER, framebuffer);
        GL33C.glFramebufferTexture2D(
                GL33C.GL_FRAMEBUFFER, GL33C.GL_DEPTH_ATTACHMENT, GL33C.GL_TEXTURE_2D, depthTexture, 0);
        GL33C.glDrawBuffer(GL33C.GL_NONE);
        GL33C.glReadBuffer(GL33C.GL_NONE);

        worldToShadow = lightSpace(scene);
        program.use().set("worldToClip", worldToShadow);
        boxCountLocation = program.location("boxCount");
    }

    private static void parameter(int name, int value) {
        GL33C.glTexParameteri(GL33C.GL_TEXTURE_2D, name, value);
    }

    /** An orthographic view along the light that just holds the floor and everything above it up to the pile's height. */
    private static Matrix4f lightSpace(SceneView scene) {
        Matrix4f view = new Matrix4f().lookAlong(new Vector3f(TO_LIGHT).negate(), new Vector3f(0, 1, 0));
        Vector3f min = new Vector3f(Float.POSITIVE_INFINITY);
        Vector3f max = new Vector3f(Float.NEGATIVE_INFINITY);
        float floor = scene.floorHalfExtent();
        for (int corner = 0; corner < 8; corner++) {
            Vector3f seen = view.transformPosition(new Vector3f(
                    (corner & 1) == 0 ? -floor : floor,
                    (corner & 2) == 0 ? 0 : scene.pileHeight(),
                    (corner & 4) == 0 ? -floor : floor));
            min.min(seen);
            max.max(seen);
        }
        // Bodies above the pile cast shadows, too, so the near plane is farther up.
        return new Matrix4f()
                .ortho(min.x, max.x, min.y, max.y, -max.z - 4 * scene.pileHeight(), -min.z)
                .mul(view);
    }

    Matrix4fc worldToShadow() {
        return worldToShadow;
    }

    /** Draws the bodies as the light sees them, and leaves the map bound as the texture. Changes framebuffer and viewport. */
    void draw(BodyMesh bodies, int boxCount) {
        GL33C.glBindFramebuffer(GL33C.GL_FRAMEBUFFER, framebuffer);
        GL33C.glViewport(0, 0, SIZE, SIZE);
        GL33C.glClear(GL33C.GL_DEPTH_BUFFER_BIT);
        program.use();
        GL33C.glUniform1i(boxCountLocation, boxCount);
        bodies.draw();
        GL33C.glBindTexture(GL33C.GL_TEXTURE_2D, depthTexture);
    }

    @Override
    public void close() {
        program.close();
        GL33C.glDeleteFramebuffers(framebuffer);
        GL33C.glDeleteTextures(depthTexture);
    }
}
