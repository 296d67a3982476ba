package dev.escapement.render.lwjgl;

/**
 * A part of a picture, in pixels from its lower left corner.
 *
 * @param x      the left edge
 * @param y      the lower edge
 * @param width  its width, at least 1
 * @param height its height, at least 1
 * @see SceneDrawing#draw(Viewport, Camera, dev.escapement.render.interpolation.Interpolator)
 */
public record Viewport(int x, int y, int width, int height) {

    /**
     * Checks the size.
     *
     * @param x      the left edge
     * @param y      the lower edge
     * @param width  its width, at least 1
     * @param height its height, at least 1
     * @throws IllegalArgumentException if there is not one pixel
     */
    public Viewport {
        if (width < 1 || height < 1) {
            throw new IllegalArgumentException(
                    "a picture must have 1 x 1 pixels or more, but is to have " + width + " x " + height);
        }
    }
}
