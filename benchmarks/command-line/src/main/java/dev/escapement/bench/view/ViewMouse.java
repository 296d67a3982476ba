package dev.escapement.bench.view;

import dev.escapement.render.lwjgl.Camera;
import dev.escapement.render.lwjgl.SceneView;

/**
 * What the mouse does: the right button turns the camera, the middle one moves it, the wheel brings it nearer; the left one is for
 * {@link BodyDrag}.
 *
 * <p>Main thread; any thread may ask.
 */
final class ViewMouse {

    private static final int LEFT = 0;
    private static final int RIGHT = 1;
    private static final int MIDDLE = 2;
    private static final int NONE = -1;

    private static final double RADIANS_PER_WIDTH = 4;
    private static final double RADIANS_PER_HEIGHT = 2;
    private static final double ZOOM_PER_NOTCH = 0.9;
    private static final double NEAREST = 0.05;
    private static final double FARTHEST = 5;

    private final boolean dragsBodies;
    private int held = NONE;
    private double x;
    private double y;
    private long presses;

    // Volatile: immutable values, written by the main thread and read by the render thread at the start of a frame.
    private volatile Look look = new Look(0, 0, 0, 0, 1);
    private volatile Pointer pointer = new Pointer(0, 0, false, 0);

    /**
     * Where the camera was moved to, from where it just shows the scene.
     *
     * @param azimuth   radians
     * @param elevation radians
     * @param panX      widths of the window
     * @param panY      heights of the window
     * @param zoom      distance over the one at first
     */
    record Look(double azimuth, double elevation, double panX, double panY, double zoom) {

        /** A camera for a part of a window. */
        Camera camera(SceneView scene, int partWidth, int windowWidth, int height) {
            return Camera.framing(scene, partWidth, height)
                    .orbit((float) azimuth, (float) elevation)
                    .pan((float) (2 * panX * windowWidth / height), (float) (2 * panY))
                    .zoom((float) zoom);
        }
    }

    /**
     * The left button.
     *
     * @param x       where the pointer is, 0 at the window's left edge, 1 at the right
     * @param y       0 at the top, 1 at the bottom
     * @param held    whether the button is down
     * @param presses how often it went down
     */
    record Pointer(double x, double y, boolean held, long presses) {}

    ViewMouse(boolean dragsBodies) {
        this.dragsBodies = dragsBodies;
    }

    Look look() {
        return look;
    }

    Pointer pointer() {
        return pointer;
    }

    /** Takes a button. Whether it is taken, and not the simulation's. */
    boolean button(int button, boolean down, double newX, double newY) {
        if (button > MIDDLE || (button == LEFT && !dragsBodies)) {
            return false;
        }
        x = newX;
        y = newY;
        if (down) {
            held = button;
        } else if (held == button) {
            held = NONE;
        }
        if (button == LEFT) {
            presses += down ? 1 : 0;
            pointer = new Pointer(x, y, down, presses);
        }
        return true;
    }

    /** Takes a move. Whether it is taken, and not the simulation's. */
    boolean moved(double newX, double newY) {
        double dx = newX - x;
        double dy = newY - y;
        x = newX;
        y = newY;
        Look l = look;
        switch (held) {
            case LEFT -> pointer = new Pointer(x, y, true, presses);
            case RIGHT ->
                look = new Look(
                        l.azimuth - RADIANS_PER_WIDTH * dx,
                        l.elevation + RADIANS_PER_HEIGHT * dy,
                        l.panX,
                        l.panY,
                        l.zoom);
            case MIDDLE -> // the nearer the camera is, the less far it has to go
                look = new Look(l.azimuth, l.elevation, l.panX - dx * l.zoom, l.panY + dy * l.zoom, l.zoom);
            default -> {
                return false;
            }
        }
        return true;
    }

    void scrolled(double notches) {
        Look l = look;
        double zoom = Math.max(NEAREST, Math.min(FARTHEST, l.zoom * Math.pow(ZOOM_PER_NOTCH, notches)));
        look = new Look(l.azimuth, l.elevation, l.panX, l.panY, zoom);
    }
}
