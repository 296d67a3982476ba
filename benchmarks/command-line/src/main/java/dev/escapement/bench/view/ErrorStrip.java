package dev.escapement.bench.view;

import java.awt.Color;
import java.awt.Graphics2D;

/**
 * A strip chart of animation errors, a bar a frame: upwards where the picture moved too far, downwards where it moved not far enough.
 *
 * <p>One thread. Allocates nothing per frame.
 */
final class ErrorStrip {

    /** Bars end here, in milliseconds. */
    static final double MOST_MILLIS = 8;

    /** What is called visible: 2 ms, see {@link dev.escapement.render.clock.AnimationError}. */
    private static final double VISIBLE_MILLIS = 2;

    private static final Color GROUND = new Color(24, 27, 32);
    private static final Color LINE = new Color(70, 76, 86);
    private static final Color SMALL = new Color(120, 200, 140);
    private static final Color LARGE = new Color(255, 96, 88);

    private final double[] millis;
    private int next;
    private int size;

    /** A strip of the last frames, so many of them. */
    ErrorStrip(int frames) {
        millis = new double[frames];
    }

    void add(long errorNanos) {
        millis[next] = errorNanos / 1e6;
        next = (next + 1) % millis.length;
        size = Math.min(size + 1, millis.length);
    }

    /** The mean of the absolute errors on the strip, milliseconds. */
    double meanMillis() {
        double sum = 0;
        for (int i = 0; i < size; i++) {
            sum += Math.abs(millis[i]);
        }
        return size == 0 ? 0 : sum / size;
    }

    /** Draws the strip into a rectangle, the oldest frame on the left. */
    void draw(Graphics2D to, int x, int y, int width, int height) {
        int middle = y + height / 2;
        to.setColor(GROUND);
        to.fillRect(x, y, width, height);
        to.setColor(LINE);
        to.drawLine(x, middle, x + width - 1, middle);
        for (int frame = 0; frame < size; frame++) {
            double error = millis[Math.floorMod(next - size + frame, millis.length)];
            int length = (int) Math.round(Math.min(Math.abs(error), MOST_MILLIS) / MOST_MILLIS * (height / 2 - 1));
            int left = x + frame * width / millis.length;
            int right = Math.max(left + 1, x + (frame + 1) * width / millis.length);
            to.setColor(Math.abs(error) < VISIBLE_MILLIS ? SMALL : LARGE);
            to.fillRect(left, error > 0 ? middle - length : middle, right - left, Math.max(1, length));
        }
    }
}
