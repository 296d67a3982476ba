package dev.escapement.bench.report;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Series;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;

/**
 * A plot of a page, drawn by the browser. Curves are thinned to what a screen can show: the extremes stay.
 *
 * <pre>{@code
 * Plot.curves("Error", "seconds", "milliseconds", "How even it is.", List.of(new Curve("mine", series, LINE, TEAL)))
 * }</pre>
 *
 * @param title   above it
 * @param caption below it: what it shows, in a sentence or more
 * @param x       the horizontal axis
 * @param y       the vertical axis
 * @param curves  what is drawn, those without points left out
 */
public record Plot(String title, String caption, Axis x, Axis y, List<Curve> curves) {

    private static final int MOST_POINTS = 400;
    private static final int STEPS_PER_HALF = 8;
    private static final double LEAST_MICROS = 0.1;
    private static final double LOG_STEP = 1.15;
    private static final double WIDE_SPREAD = 50;
    private static final int BINS = 60;

    /** Leaves out curves without points. */
    public Plot {
        curves = curves.stream().filter(curve -> curve.points().size() > 0).toList();
    }

    /** How an axis maps values to places. */
    public enum Scale {
        /** Evenly. */
        LINEAR,
        /** By their logarithm. */
        LOGARITHMIC,
        /** "One in so many lies beyond", by its logarithm and labelled as percentile: 10 is 90%, 1,000 is 99.9%. */
        PERCENTILE
    }

    /**
     * An axis.
     *
     * @param title what it shows, and the unit
     * @param scale how it maps values
     */
    public record Axis(String title, Scale scale) {}

    /** How a curve is drawn. */
    public enum Style {
        /** A line. */
        LINE,
        /** Bins: each value back to the one before, filled. */
        BINS
    }

    /** The colours, which most people can tell apart; the page's style sheet defines each for light and for dark pages. */
    public enum Colour {
        TEAL,
        ORANGE,
        GREEN,
        VIOLET,
        RED,
        /** For what the others are compared with. */
        GREY
    }

    /**
     * A curve.
     *
     * @param name   what the legend says
     * @param points where it goes
     * @param style  how it is drawn
     * @param colour its colour
     */
    public record Curve(String name, Series points, Style style, Colour colour) {}

    /** Curves over linear axes. */
    public static Plot curves(String title, String x, String y, String caption, List<Curve> curves) {
        return new Plot(title, caption, new Axis(x, Scale.LINEAR), new Axis(y, Scale.LINEAR), curves);
    }

    /** A quantity over seconds. */
    public static Plot overTime(String title, String unit, String caption, Series series) {
        return curves(title, "seconds", unit, caption, List.of(new Curve(title, series, Style.LINE, Colour.TEAL)));
    }

    /** Durations by percentile, a curve each, on HdrHistogram's own axis: 90% to 99% takes as much room as 99% to 99.9%. */
    public static Plot percentiles(String title, String caption, Map<String, Distribution> distributions) {
        List<Curve> curves = new ArrayList<>();
        for (Map.Entry<String, Distribution> entry : distributions.entrySet()) {
            Histogram histogram = entry.getValue().histogram();
            double total = histogram.getTotalCount();
            Series points = new Series(MOST_POINTS);
            for (HistogramIterationValue value : histogram.percentiles(STEPS_PER_HALF)) {
                double beyond = 1 - value.getPercentileLevelIteratedTo() / 100;
                points.add(
                        Math.min(total, 1 / Math.max(beyond, 1 / total)),
                        Math.max(LEAST_MICROS, value.getValueIteratedTo() / 1e3));
            }
            Colour colour = Colour.values()[curves.size() % Colour.values().length];
            curves.add(new Curve(entry.getKey(), points, Style.LINE, colour));
        }
        return new Plot(
                title,
                caption,
                new Axis("percentile", Scale.PERCENTILE),
                new Axis("microseconds (logarithmic)", Scale.LOGARITHMIC),
                curves);
    }

    /** How often which duration occurred: the share of samples per bin, on an axis that suits how far they spread. */
    public static Plot histogram(String title, String caption, Distribution distribution) {
        Histogram histogram = distribution.histogram();
        double total = Math.max(1, histogram.getTotalCount());
        double least = Math.max(1, histogram.getMinValue());
        boolean wide = histogram.getMaxValue() > WIDE_SPREAD * least;
        Series points = new Series(MOST_POINTS);
        for (HistogramIterationValue bin : wide
                ? histogram.logarithmicBucketValues(100, LOG_STEP)
                : histogram.linearBucketValues(Math.max(1, (long) (histogram.getMaxValue() - least) / BINS))) {
            if (bin.getValueIteratedTo() >= least / LOG_STEP) {
                points.add(
                        Math.max(LEAST_MICROS, bin.getValueIteratedTo() / 1e3),
                        100 * bin.getCountAddedInThisIterationStep() / total);
            }
        }
        return new Plot(
                title,
                caption,
                new Axis(wide ? "microseconds (logarithmic)" : "microseconds", wide ? Scale.LOGARITHMIC : Scale.LINEAR),
                new Axis("share of samples, %", Scale.LINEAR),
                List.of(new Curve(title, points, Style.BINS, Colour.TEAL)));
    }

    /** The plot for the template {@code plot.html}: its data, as JSON that may stand within HTML. */
    public String json() {
        return JsonFile.withinHtml(Map.of(
                "title",
                title,
                "x",
                x,
                "y",
                y,
                "curves",
                curves.stream().map(Plot::data).toList()));
    }

    private static Map<String, Object> data(Curve curve) {
        Series points = curve.points().thinned(MOST_POINTS);
        return Map.of(
                "name", curve.name(),
                "style", curve.style(),
                "colour", curve.colour(),
                "x", rounded(points.x()),
                "y", rounded(points.y()));
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
