package dev.escapement.render.lwjgl;

import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import java.util.List;
import org.lwjgl.opengl.GL33C;

/**
 * An image over a picture, pixel for pixel: text, charts and the like, drawn with {@link java.awt.Graphics2D}.
 *
 * <pre>{@code
 * overlay.image(image);                      // when it has changed
 * overlay.draw(12, 12, windowWidth, windowHeight);
 * }</pre>
 *
 * <p>The context's thread only.
 */
public final class ImageOverlay implements AutoCloseable {

    private final ShaderProgram program = ShaderProgram.of(List.of("overlay.vert"), List.of("overlay.frag"));
    private final int rectangle = program.location("rectangle");
    private final int noVertices = GL33C.glGenVertexArrays();
    private final int texture = GL33C.glGenTextures();
    private int width;
    private int height;

    /** Creates an overlay without an image, in the current context. */
    public ImageOverlay() {
        GL33C.glBindTexture(GL33C.GL_TEXTURE_2D, texture);
        GL33C.glTexParameteri(GL33C.GL_TEXTURE_2D, GL33C.GL_TEXTURE_MIN_FILTER, GL33C.GL_NEAREST);
        GL33C.glTexParameteri(GL33C.GL_TEXTURE_2D, GL33C.GL_TEXTURE_MAG_FILTER, GL33C.GL_NEAREST);
        GL33C.glTexParameteri(GL33C.GL_TEXTURE_2D, GL33C.GL_TEXTURE_WRAP_S, GL33C.GL_CLAMP_TO_EDGE);
        GL33C.glTexParameteri(GL33C.GL_TEXTURE_2D, GL33C.GL_TEXTURE_WRAP_T, GL33C.GL_CLAMP_TO_EDGE);
    }

    /**
     * Takes an image.
     *
     * @param image of type {@link BufferedImage#TYPE_INT_ARGB_PRE}; may change afterwards
     * @throws IllegalArgumentException if it is of another type
     */
    public void image(BufferedImage image) {
        if (image.getType() != BufferedImage.TYPE_INT_ARGB_PRE) {
            throw new IllegalArgumentException(
                    "an overlay takes images of TYPE_INT_ARGB_PRE, but this one has type " + image.getType());
        }
        width = image.getWidth();
        height = image.getHeight();
        int[] pixels = ((DataBufferInt) image.getRaster().getDataBuffer()).getData();
        GL33C.glBindTexture(GL33C.GL_TEXTURE_2D, texture);
        GL33C.glTexImage2D(
                GL33C.GL_TEXTURE_2D,
                0,
                GL33C.GL_RGBA8,
                width,
                height,
                0,
                GL33C.GL_BGRA,
                GL33C.GL_UNSIGNED_INT_8_8_8_8_REV,
                pixels);
    }

    /**
     * Draws the image over what is there; draws nothing before there is one.
     *
     * @param x            its left edge, in pixels from the left
     * @param y            its upper edge, in pixels from the top
     * @param windowWidth  of the picture, in pixels
     * @param windowHeight of the picture, in pixels
     */
    public void draw(int x, int y, int windowWidth, int windowHeight) {
        if (width == 0) {
            return;
        }
        GL33C.glViewport(0, 0, windowWidth, windowHeight);
        GL33C.glDisable(GL33C.GL_DEPTH_TEST);
        GL33C.glEnable(GL33C.GL_BLEND);
        GL33C.glBlendFunc(GL33C.GL_ONE, GL33C.GL_ONE_MINUS_SRC_ALPHA);
        program.use();
        GL33C.glUniform4f(
                rectangle,
                2f * x / windowWidth - 1,
                1 - 2f * y / windowHeight,
                2f * width / windowWidth,
                -2f * height / windowHeight);
        GL33C.glBindTexture(GL33C.GL_TEXTURE_2D, texture);
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
