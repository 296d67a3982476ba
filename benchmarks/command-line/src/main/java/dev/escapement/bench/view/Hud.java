package dev.escapement.bench.view;

import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * The figures over the picture: a panel with text and the keys, and a bar below each half of a split picture.
 *
 * <p>Render thread. Allocates nothing after the first image of a size.
 */
final class Hud {

    static final int BAR_HEIGHT = 70;

    private static final int WIDTH = 486;
    private static final int MARGIN = 12;
    private static final int LINE = 17;
    private static final int FIRST_LINE = MARGIN + LINE - 5;
    private static final int FIGURE_LINES = 6;
    private static final int FIGURE_WIDTH = 8;
    private static final int STRIP_TOP = FIRST_LINE + FIGURE_LINES * LINE - LINE + 10;
    private static final int STRIP_HEIGHT = 56;
    private static final Color GROUND = new Color(16, 18, 22, 205);
    private static final Color TEXT = new Color(235, 238, 242);
    private static final Color FAINT = new Color(170, 178, 190);
    private static final Color ACCENT = new Color(255, 200, 90);
    private static final Font MONOSPACED = new Font(Font.MONOSPACED, Font.PLAIN, 13);
    private static final Font SMALL = new Font(Font.SANS_SERIF, Font.PLAIN, 12);
    private static final Font TITLE = new Font(Font.SANS_SERIF, Font.BOLD, 15);

    /** Beside itself the world is smaller, and has strips of its own. */
    private static final int SMALL_WIDTH = 380;

    private final Glyphs text = new Glyphs(MONOSPACED, TEXT, GROUND);
    private final Glyphs accent = new Glyphs(MONOSPACED, ACCENT, GROUND);
    private final Glyphs small = new Glyphs(SMALL, TEXT, GROUND);
    private final Glyphs title = new Glyphs(TITLE, TEXT, GROUND);
    private final StringBuilder lines = new StringBuilder(512);
    private final Canvas panel = new Canvas(
            WIDTH, 2 * MARGIN + (FIGURE_LINES + Viewer.KEYS.size() + 2) * LINE + STRIP_HEIGHT, this::drawOnce);
    private final Canvas smallPanel = new Canvas(
            SMALL_WIDTH,
            2 * MARGIN + (FIGURE_LINES + Viewer.KEYS_BESIDE.size()) * LINE + LINE / 2,
            to -> keys(to, Viewer.KEYS_BESIDE, FIRST_LINE + FIGURE_LINES * LINE + LINE / 2));
    private Canvas bar = new Canvas(1, BAR_HEIGHT, to -> {});

    /** An image whose ground is drawn once. Its graphics are kept, for the strip. */
    private static final class Canvas {

        final BufferedImage image;
        final int[] pixels;
        final int width;
        final Graphics2D graphics;
        private final int[] ground;

        Canvas(int width, int height, Consumer<Graphics2D> drawOnce) {
            this.width = width;
            image = new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB_PRE);
            pixels = Glyphs.pixels(image);
            graphics = Glyphs.begin(image, GROUND);
            drawOnce.accept(graphics);
            ground = pixels.clone();
        }

        void clear() {
            System.arraycopy(ground, 0, pixels, 0, ground.length);
        }
    }

    /** What the panel shows. Filled anew for each image. */
    static final class Figures {
        long tick;
        String speed = "";
        boolean paused;
        boolean slow;
        TickGauge gauge = new TickGauge(1);
        long givenUpTicks;
        long lookBehindNanos;
        double errorMillis;
    }

    /** Writes the lines of the panel above the strip, each ended. */
    static void figures(Figures f, StringBuilder to) {
        to.append("tick ");
        grouped(to, f.tick, 0);
        to.append("   ").append(f.speed);
        to.append(f.paused ? "   PAUSED" : "").append(f.slow ? "   SLOW STEPS" : "");
        line(to, "\ntick lateness  ", f.gauge.meanLatenessNanos(), f.gauge.mostLatenessNanos());
        line(to, "\nstep           ", f.gauge.meanStepNanos(), f.gauge.mostStepNanos());
        to.append("\ngiven up        ");
        grouped(to, f.givenUpTicks, FIGURE_WIDTH);
        to.append(" ticks\nlook-behind     ");
        hundredths(to, f.lookBehindNanos / 1e6, FIGURE_WIDTH);
        to.append(" ms\nanimation error ");
        hundredths(to, f.errorMillis, FIGURE_WIDTH);
        to.append(" ms mean\n");
    }

    private static void line(StringBuilder to, String name, long meanNanos, long mostNanos) {
        to.append(name).append(' ');
        hundredths(to, meanNanos / 1e6, FIGURE_WIDTH);
        to.append(" ms, most ");
        hundredths(to, mostNanos / 1e6, 0);
        to.append(" ms");
    }

    /** Appends a number with two decimals, on the right of so many characters. */
    static void hundredths(StringBuilder to, double value, int width) {
        int from = to.length();
        long rounded = Math.round(Math.abs(value) * 100);
        to.append(value < 0 && rounded > 0 ? "-" : "").append(rounded / 100).append('.');
        to.append((char) ('0' + rounded / 10 % 10)).append((char) ('0' + rounded % 10));
        alignRight(to, from, width);
    }

    /** Appends a whole number with a comma before each group of three digits, on the right of so many characters. */
    static void grouped(StringBuilder to, long value, int width) {
        int from = to.length();
        to.append(value);
        for (int i = to.length() - 3; i > from && to.charAt(i - 1) != '-'; i -= 3) {
            to.insert(i, ',');
        }
        alignRight(to, from, width);
    }

    private static void alignRight(StringBuilder to, int from, int width) {
        while (to.length() - from < width) {
            to.insert(from, ' ');
        }
    }

    /** Draws the panel. The image is overwritten by the next one. */
    BufferedImage panel(Figures f, ErrorStrip strip) {
        panel.clear();
        lines(panel, f);
        strip.draw(panel.graphics, MARGIN, STRIP_TOP, WIDTH - 2 * MARGIN, STRIP_HEIGHT);
        return panel.image;
    }

    private void drawOnce(Graphics2D to) {
        int y = STRIP_TOP + LINE - 10 + STRIP_HEIGHT + LINE / 2;
        to.setColor(FAINT);
        to.setFont(SMALL);
        to.drawString(
                String.format(Locale.ROOT, "a bar a frame, up to %.0f ms; red is visible", ErrorStrip.MOST_MILLIS),
                MARGIN,
                y);
        keys(to, Viewer.KEYS, y + LINE + LINE / 2);
    }

    /** Draws the panel where there are bars below. The image is overwritten by the next one. */
    BufferedImage smallPanel(Figures f) {
        smallPanel.clear();
        lines(smallPanel, f);
        return smallPanel.image;
    }

    private void lines(Canvas to, Figures f) {
        lines.setLength(0);
        figures(f, lines);
        int y = FIRST_LINE;
        int from = 0;
        Glyphs colour = f.paused || f.slow ? accent : text;
        for (int i = 0; i < lines.length(); i++) {
            if (lines.charAt(i) == '\n') {
                colour.write(lines, from, i, MARGIN, y, to.pixels, to.width);
                colour = text;
                from = i + 1;
                y += LINE;
            }
        }
    }

    private static void keys(Graphics2D to, List<String> keys, int firstY) {
        int y = firstY;
        to.setFont(SMALL);
        to.setColor(TEXT);
        for (String line : keys) {
            to.drawString(line, MARGIN, y);
            y += LINE;
        }
    }

    /** Draws the bar below a half. The image is overwritten by the next one. */
    BufferedImage bar(String of, ErrorStrip strip, int width) {
        if (bar.width != width) {
            bar = new Canvas(width, BAR_HEIGHT, to -> {});
        }
        bar.clear();
        title.write(of, 0, of.length(), MARGIN, LINE, bar.pixels, width);
        lines.setLength(0);
        lines.append("animation error ");
        hundredths(lines, strip.meanMillis(), 0);
        lines.append(" ms");
        small.write(lines, 0, lines.length(), width - MARGIN - small.width(lines), LINE, bar.pixels, width);
        strip.draw(bar.graphics, 0, LINE + 7, width, BAR_HEIGHT - LINE - 7);
        return bar.image;
    }
}
