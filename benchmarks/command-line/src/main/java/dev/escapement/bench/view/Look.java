package dev.escapement.bench.view;

import dev.escapement.render.lwjgl.Camera;
import dev.escapement.render.lwjgl.SceneView;

/**
 * How the camera was moved, from the place at which it just shows the scene.
 *
 * @param azimuth   radians
 * @param elevation radians
 * @param panX      widths of the window
 * @param panY      heights of the window
 * @param zoom      distance over the one at first
 */
record Look(double azimuth, double elevation, double panX, double panY, double zoom) {

    static final Look AT_FIRST = new Look(0, 0, 0, 0, 1);

    /** From the front, a little from the right and from above. */
    private static final float FIRST_AZIMUTH = (float) Math.toRadians(14);

    private static final float FIRST_ELEVATION = (float) Math.toRadians(14);

    private static final double RADIANS_PER_WIDTH = 4;
    private static final double RADIANS_PER_HEIGHT = 2;
    private static final double ZOOM_PER_NOTCH = 0.9;
    private static final double NEAREST = 0.05;
    private static final double FARTHEST = 5;

    /** Turned by a pointer that moves by parts of the window. */
    Look turned(double dx, double dy) {
        return new Look(azimuth - RADIANS_PER_WIDTH * dx, elevation + RADIANS_PER_HEIGHT * dy, panX, panY, zoom);
    }

    /** Moved so that the world follows a pointer: the nearer the camera, the less. */
    Look moved(double dx, double dy) {
        return new Look(azimuth, elevation, panX - dx * zoom, panY + dy * zoom, zoom);
    }

    /** Nearer by notches of the wheel, within bounds. */
    Look nearer(double notches) {
        double next = Math.max(NEAREST, Math.min(FARTHEST, zoom * Math.pow(ZOOM_PER_NOTCH, notches)));
        return new Look(azimuth, elevation, panX, panY, next);
    }

    /** A camera for a part of a window. */
    Camera camera(SceneView scene, int partWidth, int windowWidth, int height) {
        return Camera.framing(scene, partWidth, height, FIRST_AZIMUTH, FIRST_ELEVATION)
                .orbit((float) azimuth, (float) elevation)
                .pan((float) (2 * panX * windowWidth / height), (float) (2 * panY))
                .zoom((float) zoom);
    }
}
