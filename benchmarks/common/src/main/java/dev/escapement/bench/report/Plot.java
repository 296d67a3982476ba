package dev.escapement.bench.report;

import com.google.gson.Gson;
import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Series.Point;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * A plot in the report page. The browser draws it.
 *
 * @param title   the text above the plot
 * @param caption the text below the plot: what it shows, in a sentence or more
 * @param x       the name of the horizontal axis, with the unit
 * @param y       the name of the vertical axis, with the unit
 * @param bins    true for a histogram over a logarithmic axis, in which a point's bin reaches from the previous point's x to its own x;
 *                false for a line
 * @param points  the points to draw
 */
public record Plot(String title, String caption, String x, String y, boolean bins, List<Point> points) {

    private static final int MIN_NANOS = 100;
    private static final double LOG_STEP = 1.1;

    /** Creates a histogram of durations: the share of samples per bin. Each bin ends a tenth higher than the previous one. */
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
     * Returns the plot as JSON for {@code plots.js}. Escapes {@code <}, {@code >} and {@code &}, so that no text of the plot can end the
     * page's script element.
     */
    String json() {
        return new Gson().toJson(this);
    }
}
