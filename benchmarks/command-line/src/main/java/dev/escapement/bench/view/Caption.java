package dev.escapement.bench.view;

import dev.escapement.render.lwjgl.ImageOverlay;
import java.awt.Color;
import java.awt.Font;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import org.jspecify.annotations.Nullable;

/**
 * A line of text in the picture, so that a film or a screenshot is understood.
 *
 * <p>Render thread. Allocates where the text changes.
 */
final class Caption {

    static final int HEIGHT = 30;

    private static final Font FONT = new Font(Font.SANS_SERIF, Font.BOLD, 17);
    private static final int MARGIN = 10;
    private static final int BASELINE = 21;
    private static final Color GROUND = new Color(24, 27, 32, 215);
    private static final Color TEXT = new Color(240, 243, 247);

    private String shown = "";
    private @Nullable BufferedImage image;

    /** Changes the text; an empty one is not drawn. */
    void text(String text) {
        if (!text.equals(shown)) {
            shown = text;
            image = text.isEmpty() ? null : image(text);
        }
    }

    /** Draws it in the middle of a part of the window that begins at {@code left}, {@code top} pixels from the upper edge. */
    void draw(ImageOverlay overlay, int left, int partWidth, int top, int windowHeight) {
        if (image != null) {
            overlay.draw(image, left + Math.max(0, (partWidth - image.getWidth()) / 2), top, windowHeight);
        }
    }

    /** The text on a dark ground; null where the system has no fonts, as on a small server. The title bar has it, too. */
    static @Nullable BufferedImage image(String text) {
        try {
            BufferedImage measured = new BufferedImage(1, 1, BufferedImage.TYPE_INT_ARGB_PRE);
            int textWidth = measured.createGraphics().getFontMetrics(FONT).stringWidth(text);
            BufferedImage image = new BufferedImage(textWidth + 2 * MARGIN, HEIGHT, BufferedImage.TYPE_INT_ARGB_PRE);
            Graphics2D graphics = image.createGraphics();
            graphics.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
            graphics.setColor(GROUND);
            graphics.fillRect(0, 0, image.getWidth(), HEIGHT);
            graphics.setColor(TEXT);
            graphics.setFont(FONT);
            graphics.drawString(text, MARGIN, BASELINE);
            graphics.dispose();
            return image;
        } catch (RuntimeException | Error noFonts) {
            return null;
        }
    }
}
