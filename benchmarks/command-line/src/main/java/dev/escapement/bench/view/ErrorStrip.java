package dev.escapement.bench.view;

import dev.escapement.render.tools.AnimationError;
import dev.escapement.state.time.Timeline;
import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;

/**
 * A strip chart of the animation error of the last frames, one bar per frame, below the picture's name and its mean error. A bar points
 * upwards if the picture moved too far in its frame, downwards if it did not move far enough. Bars of visible errors are red.
 *
 * <p>Render thread, except {@link #heading()}. Allocates only when the shown mean changes.
 */
final class ErrorStrip {

    static final int FRAMES = 240;
    static final int WIDTH = 2 * FRAMES;
    static final int HEIGHT = 124;

    private static final int HEADING_HEIGHT = 32;
    private static final float HEADING_SIZE = 22;
    private static final int LINE_HEIGHT = 18;

    private static final int TOP = HEADING_HEIGHT + 2 * LINE_HEIGHT;

    private static final int MARGIN = 5;

    /** The error, in milliseconds, at which a bar has its full length. A larger error gives no longer bar. */
    private static final double MAX_MILLIS = 8;

    /** The error, in milliseconds, from which on people see it; see {@link AnimationError}. */
    private static final double VISIBLE_MILLIS = 2;

    private static final int MIDDLE = (TOP + HEIGHT) / 2;
    private static final Color GROUND = new Color(24, 27, 32);
    private static final Color TEXT = new Color(200, 206, 214);
    private static final Color LINE = new Color(70, 76, 86);
    private static final Color SMALL = new Color(120, 200, 140);
    private static final Color LARGE = new Color(255, 96, 88);

    private final AnimationError error = new AnimationError("shown");
    private final double[] millis = new double[FRAMES];
    private final BufferedImage image = new BufferedImage(WIDTH, HEIGHT, BufferedImage.TYPE_INT_ARGB_PRE);
    private final Graphics2D graphics = image.createGraphics();
    private final String name;
    private long frames;
    private long shownTenths = -1;

    // Volatile: written by the render thread, read by the main thread for the title. No other data depends on this
    // write.
    private volatile String heading;

    /** Creates an empty strip of a picture, with two further lines of text. */
    ErrorStrip(String name, String line, String lastLine) {
        this.name = name;
        heading = name + ": waiting for the first ticks";
        drawText(0, TOP, 11, line, lastLine); // small, so that all keys fit into the width
        drawText(0, HEADING_HEIGHT, HEADING_SIZE, heading);
    }

    private void drawText(int top, int bottom, float size, String... lines) {
        graphics.setColor(GROUND);
        graphics.fillRect(0, top, WIDTH, bottom - top);
        graphics.setColor(TEXT);
        try {
            graphics.setFont(graphics.getFont().deriveFont(size));
            for (int i = 0; i < lines.length; i++) {
                graphics.drawString(lines[i], MARGIN, bottom - MARGIN - (lines.length - 1 - i) * LINE_HEIGHT);
            }
        } catch (RuntimeException | Error noFonts) {
            // A server without fonts throws here. The strip is then drawn without text; the title bar of the window
            // lists the keys, too.
        }
    }

    void frame(long shownSimNanos, Timeline timeline, long displayNanos) {
        millis[(int) (frames % FRAMES)] = error.frame(shownSimNanos, timeline, displayNanos) / 1e6;
        frames++;
    }

    /** The picture's name, with the mean absolute error of the frames on the last image. Any thread. */
    String heading() {
        return heading;
    }

    BufferedImage image() {
        graphics.setColor(GROUND);
        graphics.fillRect(0, TOP, WIDTH, HEIGHT - TOP);
        graphics.setColor(LINE);
        graphics.fillRect(0, MIDDLE, WIDTH, 1);
        int size = (int) Math.min(frames, FRAMES);
        double sum = 0;
        for (int frame = 0; frame < size; frame++) {
            double shown = millis[(int) ((frames - size + frame) % FRAMES)];
            double height = Math.min(Math.abs(shown) / MAX_MILLIS, 1);
            int length = (int) Math.round(height * (HEIGHT - MIDDLE - 1));
            graphics.setColor(Math.abs(shown) < VISIBLE_MILLIS ? SMALL : LARGE);
            graphics.fillRect(2 * frame, shown > 0 ? MIDDLE - length : MIDDLE, 2, Math.max(1, length));
            sum += Math.abs(shown);
        }
        long tenths = size == 0 ? shownTenths : Math.round(10 * sum / size);
        if (tenths != shownTenths) {
            shownTenths = tenths;
            heading = name + ", error " + tenths / 10.0 + " ms";
            drawText(0, HEADING_HEIGHT, HEADING_SIZE, heading);
        }
        return image;
    }
}
