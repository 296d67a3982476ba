package dev.escapement.bench.report;

import com.google.gson.Gson;
import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Series.Point;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * A plot of the page, drawn by the browser.
 *
 * @param title   the text above it
 * @param caption the text below it: what it shows, in a sentence or more
 * @param x       the name of the horizontal axis, with the unit
 * @param y       the name of the vertical axis, with the unit
 * @param bins    true for a histogram over a logarithmic axis, in which a bin reaches from the x of the point before to that of its own;
 *                false for a line
 * @param points  the points to draw
 */
public record Plot(String title, String caption, String x, String y, boolean bins, List<Point> points) {

    private static final int MIN_NANOS = 100;
    private static final double LOG_STEP = 1.1;

    /** A histogram of durations: the share of samples per bin, each a tenth longer than the previous one. */
    public static Plot histogram(String title, String caption, Distribution distribution) {
        Histogram histogram = distribution.histogram();
        double total = Math.max(1, histogram.getTotalCount());
        List<Point> points = new ArrayList<>();
        for (HistogramIterationValue bin : histogram.logarithmicBucketValues(MIN_NANOS, LOG_STEP)) {
            double nanos = bin.getValueIteratedTo();
            if (nanos >= histogram.getMinValue() / LOG_STEP) {
                points.add(new Point(nanos / 1e6, 100 * bin.getCountAddedInThisIterationStep() / total));
            }
        }
        return new Plot(title, caption, "milliseconds (logarithmic)", "share of samples, %", true, points);
    }

    /**
     * Returns the plot as JSON for {@code plots.js}. It escapes {@code <}, {@code >} and {@code &}, so that no text in it can end the
     * page's script.
     */
    String json() {
        return new Gson().toJson(this);
    }
}
