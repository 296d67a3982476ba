package dev.escapement.render.lwjgl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.lwjgl.glfw.GLFW.GLFW_PLATFORM_NULL;

import java.awt.image.BufferedImage;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.lwjgl.opengl.GL33C;

class ImageOverlayTest {

    private static final int SIZE = 8;
    private static final int BLUE = 0xFF0000FF;

    @Test
    void shouldLayAnImageOverThePicturePixelForPixel() {
        try (GlContext context = open()) {
            context.makeCurrent();
            try (MultisampleTarget target = new MultisampleTarget(SIZE, SIZE);
                    ImageOverlay overlay = new ImageOverlay()) {
                GL33C.glBindFramebuffer(GL33C.GL_FRAMEBUFFER, target.framebuffer());
                GL33C.glClearColor(0, 1, 0, 1);
                GL33C.glClear(GL33C.GL_COLOR_BUFFER_BIT);
                overlay.draw(0, 0, SIZE, SIZE); // without an image: nothing
                BufferedImage image = new BufferedImage(2, 3, BufferedImage.TYPE_INT_ARGB_PRE);
                image.setRGB(0, 0, BLUE);
                image.setRGB(1, 2, 0x80FF0000);
                overlay.image(image);
                GL33C.glEnable(GL33C.GL_CULL_FACE);
                overlay.draw(4, 1, SIZE, SIZE);
                int[] pixels = new int[SIZE * SIZE];
                target.read(pixels);
                GlContext.check("drawing an overlay");
                assertThat(at(pixels, 4, 1)).isEqualTo(0x0000FF);
                assertThat(at(pixels, 5, 1)).as("transparent").isEqualTo(0x00FF00);
                assertThat(at(pixels, 5, 3) >> 16).as("half transparent").isBetween(0x7E, 0x82);
                assertThat(at(pixels, 5, 3) >> 8 & 255).isBetween(0x7D, 0x81);
                assertThat(at(pixels, 6, 1)).as("beside").isEqualTo(0x00FF00);
                assertThat(at(pixels, 4, 0)).as("above").isEqualTo(0x00FF00);
            }
        }
    }

    @Test
    void shouldRefuseAnImageOfAnotherType() {
        try (GlContext context = open()) {
            context.makeCurrent();
            try (ImageOverlay overlay = new ImageOverlay()) {
                assertThatThrownBy(() -> overlay.image(new BufferedImage(1, 1, BufferedImage.TYPE_INT_RGB)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("TYPE_INT_ARGB_PRE");
            }
        }
    }

    /** Row 0 is the upper one; the target's rows come from the bottom up. */
    private static int at(int[] pixels, int x, int y) {
        return pixels[(SIZE - 1 - y) * SIZE + x] & 0xFFFFFF;
    }

    private static GlContext open() {
        try {
            return GlContext.open(GLFW_PLATFORM_NULL, "test", 1, 1, 0);
        } catch (NoOpenGlException missing) {
            return Assumptions.abort(missing.getMessage());
        }
    }
}
