package dev.escapement.bench.view;

import dev.escapement.render.lwjgl.Camera;
import dev.escapement.render.lwjgl.SceneView;

/**
 * The camera's position relative to an initial position in which the whole scene just fits.
 *
 * @param azimuth   radians
 * @param elevation radians
 * @param panX      in widths of the window
 * @param panY      in heights of the window
 * @param zoom      the camera's distance divided by its initial distance
 */
record Look(double azimuth, double elevation, double panX, double panY, double zoom) {

    static final Look AT_FIRST = new Look(0, 0, 0, 0, 1);

    private static final float FIRST_AZIMUTH = (float) Math.toRadians(14);

    private static final float FIRST_ELEVATION = (float) Math.toRadians(14);

    private static final double RADIANS_PER_WIDTH = 4;
    private static final double RADIANS_PER_HEIGHT = 2;
    private static final double ZOOM_PER_NOTCH = 0.9;
    private static final double NEAREST = 0.05;
    private static final double FARTHEST = 5;

    /** Turns the camera after the pointer moved by {@code dx} of the window's width and {@code dy} of its height. */
    Look turned(double dx, double dy) {
        return new Look(azimuth - RADIANS_PER_WIDTH * dx, elevation + RADIANS_PER_HEIGHT * dy, panX, panY, zoom);
    }

    /** Moves the camera sideways so that the world stays under the pointer. A near camera must move less for that. */
    Look moved(double dx, double dy) {
        return new Look(azimuth, elevation, panX - dx * zoom, panY + dy * zoom, zoom);
    }

    Look nearer(double notches) {
        double next = Math.max(NEAREST, Math.min(FARTHEST, zoom * Math.pow(ZOOM_PER_NOTCH, notches)));
        return new Look(azimuth, elevation, panX, panY, next);
    }

    Camera camera(SceneView scene, int partWidth, int windowWidth, int height) {
        return Camera.framing(scene, partWidth, height, FIRST_AZIMUTH, FIRST_ELEVATION)
                .orbit((float) azimuth, (float) elevation)
                .pan((float) (2 * panX * windowWidth / height), (float) (2 * panY))
                .zoom((float) zoom);
    }
}
