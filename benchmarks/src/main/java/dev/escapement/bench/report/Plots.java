package dev.escapement.bench.report;

import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Series;
import dev.escapement.bench.report.Curve.Style;
import java.awt.Color;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws plots as SVG. */
final class Plots {

    private static final Color FIRST = new Color(Curve.TEAL);
    private static final double LOG_STEP = 1.15;
    private static final double WIDE_SPREAD = 50;
    private static final int BINS = 60;

    private Plots() {}

    /** How often which duration occurred: the share of samples per bin, on an axis that suits how far they spread. */
    static byte[] distribution(String title, Distribution distribution) {
        Histogram histogram = distribution.histogram();
        double total = Math.max(1, histogram.getTotalCount());
        double least = Math.max(1, histogram.getMinValue());
        boolean wide = histogram.getMaxValue() > WIDE_SPREAD * least;
        XYChart chart =
                ChartStyle.chart(title, wide ? "microseconds (logarithmic)" : "microseconds", "share of samples, %");
        List<Double> x = new ArrayList<>();
        List<Double> y = new ArrayList<>();
        for (HistogramIterationValue bin : wide
                ? histogram.logarithmicBucketValues(100, LOG_STEP)
                : histogram.linearBucketValues(Math.max(1, (long) (histogram.getMaxValue() - least) / BINS))) {
            if (bin.getValueIteratedTo() >= least / LOG_STEP) {
                x.add(Math.max(0.1, bin.getValueIteratedTo() / 1e3));
                y.add(100 * bin.getCountAddedInThisIterationStep() / total);
            }
        }
        if (x.isEmpty()) {
            x.add(0.1);
            y.add(0.0);
        }
        XYSeries series = chart.addSeries(title, x, y);
        series.setXYSeriesRenderStyle(XYSeriesRenderStyle.StepArea);
        series.setMarker(SeriesMarkers.NONE);
        series.setLineColor(FIRST);
        series.setFillColor(new Color(0x1f, 0x6f, 0x8b, 90));
        chart.getStyler().setXAxisLogarithmic(wide);
        chart.getStyler().setXAxisDecimalPattern("#,##0.#");
        chart.getStyler().setXAxisTickMarkSpacingHint(90);
        if (!wide) {
            chart.getStyler().setXAxisMin(0.0);
        }
        return ChartStyle.svg(chart.getWidth(), chart.getHeight(), chart::paint);
    }

    /** A quantity over time. */
    static byte[] overTime(String title, String unit, Series series) {
        return CurvePlot.svg(title, "seconds", unit, List.of(new Curve(title, series, Style.LINE, Curve.TEAL)));
    }

    /** The ticks as steps, which is how they look without interpolation, and the frames as points. */
    static byte[] path(String title, Series ticks, Series frames) {
        return CurvePlot.svg(
                title,
                "simulated seconds",
                "height, metres",
                List.of(
                        new Curve("raw ticks", ticks, Style.STEPS, Curve.ORANGE),
                        new Curve("interpolated frames", frames, Style.POINTS_ON_LINE, Curve.TEAL)));
    }
}
