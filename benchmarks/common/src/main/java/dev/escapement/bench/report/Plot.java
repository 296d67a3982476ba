package dev.escapement.bench.report;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Series;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Arrays;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * A plot of a page, drawn by the browser.
 *
 * @param title   above it
 * @param caption below it: what it shows, in a sentence or more
 * @param x       the horizontal axis
 * @param y       the vertical axis
 * @param bins    whether each value reaches back to the one before and is filled, instead of a line from point to point
 * @param points  what is drawn
 */
public record Plot(String title, String caption, Axis x, Axis y, boolean bins, Series points) {

    private static final double LEAST_MICROS = 0.1;
    private static final double LOG_STEP = 1.15;
    private static final double WIDE_SPREAD = 50;
    private static final int BINS = 60;

    /**
     * An axis.
     *
     * @param title       what it shows, and the unit
     * @param logarithmic whether it maps values to places by their logarithm
     */
    public record Axis(String title, boolean logarithmic) {}

    /** A quantity over seconds. */
    public static Plot overTime(String title, String unit, String caption, Series series) {
        return new Plot(title, caption, new Axis("seconds", false), new Axis(unit, false), false, series);
    }

    /** How often which duration occurred: the share of samples per bin, on an axis that suits how far they spread. */
    public static Plot histogram(String title, String caption, Distribution distribution) {
        Histogram histogram = distribution.histogram();
        double total = Math.max(1, histogram.getTotalCount());
        double least = Math.max(1, histogram.getMinValue());
        boolean wide = histogram.getMaxValue() > WIDE_SPREAD * least;
        Series points = new Series();
        for (HistogramIterationValue bin : wide
                ? histogram.logarithmicBucketValues(100, LOG_STEP)
                : histogram.linearBucketValues(Math.max(1, (long) (histogram.getMaxValue() - least) / BINS))) {
            if (bin.getValueIteratedTo() >= least / LOG_STEP) {
                points.add(
                        Math.max(LEAST_MICROS, bin.getValueIteratedTo() / 1e3),
                        100 * bin.getCountAddedInThisIterationStep() / total);
            }
        }
        Axis x = new Axis(wide ? "microseconds (logarithmic)" : "microseconds", wide);
        return new Plot(title, caption, x, new Axis("share of samples, %", false), true, points);
    }

    /** The plot for the template {@code plots.html}: its data, as JSON that may stand within HTML. */
    public String json() {
        Map<String, double[]> drawn = Map.of("x", rounded(points.x()), "y", rounded(points.y()));
        return JsonFile.withinHtml(Map.of("title", title, "x", x, "y", y, "bins", bins, "points", drawn));
    }

    /** With as many digits as a screen can show: a ten-thousandth of the extent or of the value itself, whichever is less. */
    static double[] rounded(double[] values) {
        double extent = Arrays.stream(values).max().orElse(0)
                - Arrays.stream(values).min().orElse(0);
        return Arrays.stream(values)
                .map(value -> {
                    double quantum = Math.min(extent == 0 ? Math.abs(value) : extent, Math.abs(value)) / 1e4;
                    return quantum == 0
                            ? value
                            : BigDecimal.valueOf(value)
                                    .setScale((int) Math.ceil(-Math.log10(quantum)), RoundingMode.HALF_EVEN)
                                    .doubleValue();
                })
                .toArray();
    }
}
