package dev.escapement.bench.report;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Series;
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

    private static final int LEAST_NANOS = 100;
    private static final double LOG_STEP = 1.1;

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

    /** How often which duration occurred: the share of samples per bin, each a tenth longer than the one before. */
    public static Plot histogram(String title, String caption, Distribution distribution) {
        Histogram histogram = distribution.histogram();
        double total = Math.max(1, histogram.getTotalCount());
        Series points = new Series();
        for (HistogramIterationValue bin : histogram.logarithmicBucketValues(LEAST_NANOS, LOG_STEP)) {
            if (bin.getValueIteratedTo() >= histogram.getMinValue() / LOG_STEP) {
                points.add(bin.getValueIteratedTo() / 1e3, 100 * bin.getCountAddedInThisIterationStep() / total);
            }
        }
        Axis x = new Axis("microseconds (logarithmic)", true);
        return new Plot(title, caption, x, new Axis("share of samples, %", false), true, points);
    }

    /** The plot for the template {@code plots.html}: its data, as JSON that may stand within HTML. */
    public String json() {
        Map<String, double[]> drawn = Map.of("x", points.x(), "y", points.y());
        return JsonFile.withinHtml(Map.of("title", title, "x", x, "y", y, "bins", bins, "points", drawn));
    }
}
