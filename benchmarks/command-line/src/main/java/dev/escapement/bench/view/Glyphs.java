package dev.escapement.bench.view;

import java.awt.AlphaComposite;
import java.awt.Color;
import java.awt.Font;
import java.awt.FontMetrics;
import java.awt.Graphics2D;
import java.awt.RenderingHints;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;

/**
 * The ASCII characters of a font in one colour over one ground, drawn once, so that text can be written into images without allocating.
 *
 * <p>Any number of threads; each into an image of its own.
 */
final class Glyphs {

    private static final char FIRST = ' ';
    private static final char LAST = '~';

    /** A character runs over its width by so much at most, on both sides. */
    private static final int OVERHANG = 2;

    private final int[][] cells = new int[LAST - FIRST + 1][];
    private final int[] advances = new int[cells.length];
    private final int ascent;
    private final int height;
    private final int ground;

    Glyphs(Font font, Color colour, Color ground) {
        BufferedImage image =
                new BufferedImage(4 * font.getSize(), 2 * font.getSize(), BufferedImage.TYPE_INT_ARGB_PRE);
        Graphics2D to = begin(image, ground);
        to.setFont(font);
        FontMetrics metrics = to.getFontMetrics();
        ascent = metrics.getMaxAscent();
        height = Math.min(image.getHeight(), ascent + metrics.getMaxDescent());
        this.ground = pixels(image)[0];
        for (char c = FIRST; c <= LAST; c++) {
            fill(to, image, ground);
            to.setColor(colour);
            to.drawString(String.valueOf(c), OVERHANG, ascent);
            advances[c - FIRST] = metrics.charWidth(c);
            cells[c - FIRST] = new int[cellWidth(c - FIRST) * height];
            for (int y = 0; y < height; y++) {
                System.arraycopy(
                        pixels(image),
                        y * image.getWidth(),
                        cells[c - FIRST],
                        y * cellWidth(c - FIRST),
                        cellWidth(c - FIRST));
            }
        }
        to.dispose();
    }

    /** Starts to draw on an image that shows nothing but its ground. */
    static Graphics2D begin(BufferedImage image, Color ground) {
        Graphics2D to = image.createGraphics();
        to.setRenderingHint(RenderingHints.KEY_TEXT_ANTIALIASING, RenderingHints.VALUE_TEXT_ANTIALIAS_ON);
        fill(to, image, ground);
        return to;
    }

    private static void fill(Graphics2D to, BufferedImage image, Color ground) {
        to.setComposite(AlphaComposite.Src);
        to.setColor(ground);
        to.fillRect(0, 0, image.getWidth(), image.getHeight());
        to.setComposite(AlphaComposite.SrcOver);
    }

    /** The pixels of an image, not a copy. */
    static int[] pixels(BufferedImage image) {
        return ((DataBufferInt) image.getRaster().getDataBuffer()).getData();
    }

    /** How wide a text is. */
    int width(CharSequence text) {
        int width = 0;
        for (int i = 0; i < text.length(); i++) {
            width += advances[index(text.charAt(i))];
        }
        return width;
    }

    /**
     * Writes a part of a text onto the ground.
     *
     * @param x        where it begins
     * @param baseline the y of its base line
     * @param to       the pixels of an image
     * @param toWidth  of the image; what is beyond it is left out
     */
    void write(CharSequence text, int from, int end, int x, int baseline, int[] to, int toWidth) {
        int left = x - OVERHANG;
        for (int i = from; i < end; i++) {
            int index = index(text.charAt(i));
            blit(cells[index], cellWidth(index), left, baseline - ascent, to, toWidth);
            left += advances[index];
        }
    }

    private void blit(int[] cell, int cellWidth, int left, int top, int[] to, int toWidth) {
        int toHeight = to.length / toWidth;
        for (int y = Math.max(0, -top); y < Math.min(height, toHeight - top); y++) {
            for (int x = Math.max(0, -left); x < Math.min(cellWidth, toWidth - left); x++) {
                int pixel = cell[y * cellWidth + x];
                if (pixel != ground) {
                    to[(top + y) * toWidth + left + x] = pixel;
                }
            }
        }
    }

    private int cellWidth(int index) {
        return advances[index] + 2 * OVERHANG;
    }

    private static int index(char c) {
        return (c < FIRST || c > LAST ? '?' : c) - FIRST;
    }
}
