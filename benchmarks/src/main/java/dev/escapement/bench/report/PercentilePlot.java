package dev.escapement.bench.report;

import dev.escapement.bench.measure.Distribution;
import java.awt.BasicStroke;
import java.awt.Color;
import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws durations by percentile, as SVG, on HdrHistogram's own axis: 90% to 99% takes as much room as 99% to 99.9%. */
public final class PercentilePlot {

    private static final int STEPS_PER_HALF = 8;
    private static final double LEAST_MICROS = 0.1;
    private static final int[] COLOURS = {Curve.TEAL, Curve.ORANGE, Curve.GREEN, Curve.VIOLET, Curve.RED, Curve.GREY};

    private PercentilePlot() {}

    /** The plot, a curve per distribution; those without values are left out. */
    public static byte[] svg(String title, Map<String, Distribution> distributions) {
        XYChart chart = ChartStyle.chart(title, "percentile", "microseconds (logarithmic)");
        chart.getStyler().setLegendVisible(true);
        chart.getStyler().setXAxisLogarithmic(true);
        chart.getStyler().setXAxisLogarithmicDecadeOnly(true);
        chart.getStyler().setXAxisTickLabelsFormattingFunction(PercentilePlot::percentile);
        chart.getStyler().setYAxisLogarithmic(true);
        chart.getStyler().setYAxisDecimalPattern("#,##0.#");
        int colour = 0;
        for (Map.Entry<String, Distribution> entry : distributions.entrySet()) {
            Histogram histogram = entry.getValue().histogram();
            if (histogram.getTotalCount() > 0) {
                draw(chart, entry.getKey(), histogram, new Color(COLOURS[colour++ % COLOURS.length]));
            }
        }
        return ChartStyle.svg(chart.getWidth(), chart.getHeight(), chart::paint);
    }

    private static void draw(XYChart chart, String name, Histogram histogram, Color colour) {
        List<Double> x = new ArrayList<>();
        List<Double> y = new ArrayList<>();
        double total = histogram.getTotalCount();
        for (HistogramIterationValue value : histogram.percentiles(STEPS_PER_HALF)) {
            double beyond = 1 - value.getPercentileLevelIteratedTo() / 100;
            x.add(Math.min(total, 1 / Math.max(beyond, 1 / total)));
            y.add(Math.max(LEAST_MICROS, value.getValueIteratedTo() / 1e3));
        }
        XYSeries series = chart.addSeries(name, x, y);
        series.setLineColor(colour);
        series.setLineStyle(new BasicStroke(1.6f));
        series.setMarker(SeriesMarkers.NONE);
    }

    /** One in so many is beyond it: 10 is 90%, 1,000 is 99.9%. */
    static String percentile(double oneIn) {
        return new DecimalFormat("0.######", DecimalFormatSymbols.getInstance(Locale.ROOT)).format(100 - 100 / oneIn)
                + "%";
    }
}
