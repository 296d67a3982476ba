package dev.escapement.render.lwjgl;

import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import org.lwjgl.opengl.GL33C;

/**
 * Draws images over a picture, pixel for pixel: text and charts from {@link java.awt.Graphics2D}.
 *
 * <pre>{@code
 * overlay.draw(image, 12, 12, windowHeight);
 * }</pre>
 *
 * <p>The context's thread only.
 */
public final class ImageOverlay implements AutoCloseable {

    private final ShaderProgram program = ShaderProgram.of("overlay");
    private final int noVertices = GL33C.glGenVertexArrays();
    private final int texture = GL33C.glGenTextures();

    /** Creates an overlay in the current context. */
    public ImageOverlay() {
        GL33C.glBindTexture(GL33C.GL_TEXTURE_2D, texture);
        GL33C.glTexParameteri(GL33C.GL_TEXTURE_2D, GL33C.GL_TEXTURE_MIN_FILTER, GL33C.GL_NEAREST);
        GL33C.glTexParameteri(GL33C.GL_TEXTURE_2D, GL33C.GL_TEXTURE_MAG_FILTER, GL33C.GL_NEAREST);
    }

    /**
     * Draws an image over the current picture.
     *
     * @param image        of type {@link BufferedImage#TYPE_INT_ARGB_PRE}; read during this call
     * @param x            its left edge, in pixels from the left
     * @param y            its upper edge, in pixels from the top
     * @param windowHeight the height of the picture, in pixels
     */
    public void draw(BufferedImage image, int x, int y, int windowHeight) {
        int width = image.getWidth();
        int height = image.getHeight();
        int[] pixels = ((DataBufferInt) image.getRaster().getDataBuffer()).getData();
        int format = GL33C.GL_UNSIGNED_INT_8_8_8_8_REV;
        GL33C.glBindTexture(GL33C.GL_TEXTURE_2D, texture);
        GL33C.glTexImage2D(GL33C.GL_TEXTURE_2D, 0, GL33C.GL_RGBA8, width, height, 0, GL33C.GL_BGRA, format, pixels);
        GL33C.glViewport(x, windowHeight - y - height, width, height);
        GL33C.glDisable(GL33C.GL_DEPTH_TEST);
        GL33C.glEnable(GL33C.GL_BLEND);
        GL33C.glBlendFunc(GL33C.GL_ONE, GL33C.GL_ONE_MINUS_SRC_ALPHA);
        program.use();
        GL33C.glBindVertexArray(noVertices);
        GL33C.glDrawArrays(GL33C.GL_TRIANGLE_STRIP, 0, 4);
        GL33C.glDisable(GL33C.GL_BLEND);
        GL33C.glEnable(GL33C.GL_DEPTH_TEST);
    }

    @Override
    public void close() {
        program.close();
        GL33C.glDeleteTextures(texture);
        GL33C.glDeleteVertexArrays(noVertices);
    }
}
