package dev.escapement.bench.report;

import dev.escapement.bench.measure.Series;

/**
 * A series in a plot.
 *
 * @param name   what the legend says
 * @param series its points
 * @param style  how it is drawn
 * @param rgb    its colour
 */
public record Curve(String name, Series series, Style style, int rgb) {

    /** What is simulated, shown or compared with, by a colour that most people can tell from the others. */
    public static final int TEAL = 0x1f6f8b;

    /** Another. */
    public static final int ORANGE = 0xd9822b;

    /** Another. */
    public static final int GREEN = 0x2c8a4b;

    /** Another. */
    public static final int RED = 0xc0392b;

    /** Another. */
    public static final int VIOLET = 0x7d5ba6;

    /** For what the others are compared with. */
    public static final int GREY = 0x9a9a9a;

    /** How a series is drawn. */
    public enum Style {
        /** A line. */
        LINE,
        /** Points only. */
        POINTS,
        /** Points, and a line through them. */
        POINTS_ON_LINE,
        /** Points, and each value until the next. */
        STEPS
    }
}
