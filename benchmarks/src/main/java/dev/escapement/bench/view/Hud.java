package dev.escapement.bench.view;

import java.awt.AlphaComposite;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The figures over the picture: a panel with text and the keys, and a bar below each half of a split picture.
 *
 * <p>Render thread.
 */
final class Hud {

    static final int BAR_HEIGHT = 70;

    private static final int WIDTH = 486;
    private static final int MARGIN = 12;
    private static final int LINE = 17;
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

    private final BufferedImage panel =
            newImage(WIDTH, 2 * MARGIN + (figures(Figures.NONE).size() + Viewer.KEYS.size() + 2) * LINE + STRIP_HEIGHT);
    private final BufferedImage smallPanel = newImage(
            SMALL_WIDTH, 2 * MARGIN + (figures(Figures.NONE).size() + Viewer.KEYS_BESIDE.size()) * LINE + LINE / 2);
    private BufferedImage bar = newImage(1, BAR_HEIGHT);

    /** What the panel shows. */
    record Figures(
            long tick,
            double tickHertz,
            String scale,
            boolean paused,
            boolean slow,
            TickGauge gauge,
            long givenUpTicks,
            long lookBehindNanos,
            double errorMillis) {

        static final Figures NONE = new Figures(0, 0, "1", false, false, new TickGauge(1), 0, 0, 0);
    }

    /** The lines of the panel above the strip. */
    static List<String> figures(Figures f) {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "tick %,d   %.4g Hz x %s%s%s",
                f.tick,
                f.tickHertz,
                f.scale,
                f.paused ? "   PAUSED" : "",
                f.slow ? "   SLOW STEPS" : ""));
        lines.add(line("tick lateness", f.gauge.meanLatenessNanos(), f.gauge.mostLatenessNanos()));
        lines.add(line("step", f.gauge.meanStepNanos(), f.gauge.mostStepNanos()));
        lines.add(String.format(Locale.ROOT, "%-15s %,8d ticks", "given up", f.givenUpTicks));
        lines.add(String.format(Locale.ROOT, "%-15s %8.2f ms", "look-behind", f.lookBehindNanos / 1e6));
        lines.add(String.format(Locale.ROOT, "%-15s %8.2f ms mean", "animation error", f.errorMillis));
        return lines;
    }

    private static String line(String name, long meanNanos, long mostNanos) {
        return String.format(Locale.ROOT, "%-15s %8.2f ms, most %.2f ms", name, meanNanos / 1e6, mostNanos / 1e6);
    }

    /** Draws the panel. The image is overwritten by the next one. */
    BufferedImage panel(Figures f, ErrorStrip strip) {
        Graphics2D to = begin(panel);
        int y = lines(to, f);
        strip.draw(to, MARGIN, y - LINE + 10, WIDTH - 2 * MARGIN, STRIP_HEIGHT);
        y += STRIP_HEIGHT + LINE / 2;
        to.setColor(FAINT);
        to.setFont(SMALL);
        to.drawString(
                String.format(Locale.ROOT, "a bar a frame, up to %.0f ms; red is visible", ErrorStrip.MOST_MILLIS),
                MARGIN,
                y);
        keys(to, Viewer.KEYS, y + LINE + LINE / 2);
        to.dispose();
        return panel;
    }

    /** Draws the panel where there are bars below. The image is overwritten by the next one. */
    BufferedImage smallPanel(Figures f) {
        Graphics2D to = begin(smallPanel);
        keys(to, Viewer.KEYS_BESIDE, lines(to, f) + LINE / 2);
        to.dispose();
        return smallPanel;
    }

    /** Where the next line is. */
    private static int lines(Graphics2D to, Figures f) {
        int y = MARGIN + LINE - 5;
        to.setFont(MONOSPACED);
        to.setColor(f.paused || f.slow ? ACCENT : TEXT);
        for (String line : figures(f)) {
            to.drawString(line, MARGIN, y);
            to.setColor(TEXT);
            y += LINE;
        }
        return y;
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
    BufferedImage bar(String title, ErrorStrip strip, int width) {
        if (bar.getWidth() != width) {
            bar = newImage(width, BAR_HEIGHT);
        }
        Graphics2D to = begin(bar);
        to.setFont(TITLE);
        to.setColor(TEXT);
        to.drawString(title, MARGIN, LINE);
        String mean = String.format(Locale.ROOT, "animation error %.2f ms", strip.meanMillis());
        to.setFont(SMALL);
        to.drawString(mean, width - MARGIN - to.getFontMetrics().stringWidth(mean), LINE);
        strip.draw(to, 0, LINE + 7, width, BAR_HEIGHT - LINE - 7);
        to.dispose();
        return bar;
    }

    private static Graphics2D begin(BufferedImage image) {
        Graphics2D to = image.createGraphics();
        to.setComposite(AlphaComposite.Src);
        to.setColor(GROUND);
        to.fillRect(0, 0, image.getWidth(), image.getHeight());
        to.setComposite(AlphaComposite.SrcOver);
        to.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        return to;
    }

    private static BufferedImage newImage(int width, int height) {
        return new BufferedImage(width, height, BufferedImage.TYPE_INT_ARGB_PRE);
    }
}
