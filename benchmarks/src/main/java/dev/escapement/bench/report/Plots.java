package dev.escapement.bench.report;

import de.erichseifert.vectorgraphics2d.Processors;
import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Series;
import dev.escapement.bench.report.Curve.Style;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.knowm.xchart.HorizontalBarChart;
import org.knowm.xchart.HorizontalBarChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws plots as SVG. */
public final class Plots {

    private static final int WIDTH = 620;
    private static final int HEIGHT = 340;
    private static final int BAR_SPACING = 24;
    private static final Color FIRST = new Color(Curve.TEAL);
    private static final Color GRID = new Color(0xe6e6e6);
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
        XYChart chart = chart(title, wide ? "microseconds (logarithmic)" : "microseconds", "share of samples, %");
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
        return svg(chart);
    }

    /** A quantity over time. */
    static byte[] overTime(String title, String unit, Series series) {
        return curves(title, "seconds", unit, List.of(new Curve(title, series, Style.LINE, Curve.TEAL)));
    }

    /** The ticks as steps, which is how they look without interpolation, and the frames as points. */
    static byte[] path(String title, Series ticks, Series frames) {
        return curves(
                title,
                "simulated seconds",
                "height, metres",
                List.of(
                        new Curve("raw ticks", ticks, Style.STEPS, Curve.ORANGE),
                        new Curve("interpolated frames", frames, Style.POINTS_ON_LINE, Curve.TEAL)));
    }

    /** Several curves, with a legend if there are more than one. */
    public static byte[] curves(String title, String xTitle, String yTitle, List<Curve> curves) {
        XYChart chart = chart(title, xTitle, yTitle);
        legend(chart.getStyler(), curves.size() > 1);
        chart.getStyler().setXAxisDecimalPattern("#,##0.###");
        for (Curve curve : curves) {
            if (curve.series().x().length > 0) { // the library refuses empty ones
                draw(chart, curve);
            }
        }
        return svg(chart);
    }

    private static void draw(XYChart chart, Curve curve) {
        Color colour = new Color(curve.rgb());
        XYSeries series =
                chart.addSeries(curve.name(), curve.series().x(), curve.series().y());
        series.setLineColor(colour);
        series.setMarkerColor(colour);
        series.setLineStyle(new BasicStroke(1.2f));
        series.setMarker(curve.style() == Style.LINE ? SeriesMarkers.NONE : SeriesMarkers.CIRCLE);
        series.setXYSeriesRenderStyle(
                switch (curve.style()) {
                    case LINE, POINTS_ON_LINE -> XYSeriesRenderStyle.Line;
                    case POINTS -> XYSeriesRenderStyle.Scatter;
                    case STEPS -> XYSeriesRenderStyle.Step;
                });
    }

    /** Two lengths for each name, from the top down. */
    public static byte[] bars(
            String title,
            String xTitle,
            List<String> names,
            String first,
            List<Double> firstLengths,
            String second,
            List<Double> secondLengths) {
        HorizontalBarChart chart = new HorizontalBarChartBuilder()
                .width(WIDTH)
                .height(HEIGHT / 3 + BAR_SPACING * names.size())
                .title(title)
                .xAxisTitle(xTitle)
                .build();
        style(chart.getStyler());
        legend(chart.getStyler(), true);
        chart.getStyler().setLabelsVisible(false);
        chart.getStyler()
                .setXAxisTickMarkSpacingHint(BAR_SPACING / 2); // this library names the axis of names X, wherever it is
        chart.addSeries(first, firstLengths, names).setFillColor(new Color(Curve.TEAL));
        chart.addSeries(second, secondLengths, names).setFillColor(new Color(Curve.ORANGE));
        return svg(chart);
    }

    private static XYChart chart(String title, String xTitle, String yTitle) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(xTitle)
                .yAxisTitle(yTitle)
                .build();
        style(chart.getStyler());
        legend(chart.getStyler(), false);
        chart.getStyler().setMarkerSize(5);
        return chart;
    }

    private static void style(AxesChartStyler styler) {
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setPlotBorderVisible(false);
        styler.setPlotGridLinesColor(GRID);
        styler.setPlotGridLinesStroke(new BasicStroke(1f));
        styler.setChartTitleBoxVisible(false);
    }

    private static void legend(AxesChartStyler styler, boolean visible) {
        styler.setLegendVisible(visible);
        styler.setLegendPosition(LegendPosition.OutsideS);
        styler.setLegendLayout(LegendLayout.Horizontal);
        styler.setLegendBorderColor(Color.WHITE);
        styler.setLegendSeriesLineLength(12);
        styler.setLegendPadding(5);
    }

    private static byte[] svg(Chart<?, ?> chart) {
        VectorGraphics2D graphics = new VectorGraphics2D();
        chart.paint(graphics, chart.getWidth(), chart.getHeight());
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            Processors.get("svg")
                    .getDocument(graphics.getCommands(), new PageSize(chart.getWidth(), chart.getHeight()))
                    .writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
