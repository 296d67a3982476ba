package dev.escapement.bench.report;

import de.erichseifert.vectorgraphics2d.Processors;
import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.Series;
import java.awt.BasicStroke;
import java.awt.Color;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramIterationValue;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.Styler.LegendPosition;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws plots as SVG. */
final class Plots {

    private static final Color FIRST = new Color(0x1f6f8b);
    private static final Color SECOND = new Color(0xd9822b);
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
        XYChart chart = chart(title, "seconds", unit);
        if (series.x().length > 0) {
            XYSeries line = chart.addSeries(title, series.x(), series.y());
            line.setMarker(SeriesMarkers.NONE);
            line.setLineColor(FIRST);
            line.setLineStyle(new BasicStroke(1f));
        }
        return svg(chart);
    }

    /** The ticks as steps, which is how they look without interpolation, and the frames as points. */
    static byte[] path(String title, Series ticks, Series frames) {
        XYChart chart = chart(title, "simulated seconds", "height, metres");
        chart.getStyler().setLegendVisible(true);
        chart.getStyler().setLegendPosition(LegendPosition.InsideNE);
        if (ticks.x().length > 0 && frames.x().length > 0) {
            XYSeries raw = chart.addSeries("raw ticks", ticks.x(), ticks.y());
            raw.setXYSeriesRenderStyle(XYSeriesRenderStyle.Step);
            raw.setMarker(SeriesMarkers.SQUARE);
            raw.setMarkerColor(SECOND);
            raw.setLineColor(SECOND);
            raw.setLineStyle(new BasicStroke(1.2f));
            XYSeries shown = chart.addSeries("interpolated frames", frames.x(), frames.y());
            shown.setMarker(SeriesMarkers.CIRCLE);
            shown.setMarkerColor(FIRST);
            shown.setLineColor(FIRST);
            shown.setLineStyle(new BasicStroke(1f));
        }
        return svg(chart);
    }

    private static XYChart chart(String title, String xTitle, String yTitle) {
        XYChart chart = new XYChartBuilder()
                .width(620)
                .height(340)
                .title(title)
                .xAxisTitle(xTitle)
                .yAxisTitle(yTitle)
                .build();
        chart.getStyler().setLegendVisible(false);
        chart.getStyler().setChartBackgroundColor(Color.WHITE);
        chart.getStyler().setPlotBorderVisible(false);
        chart.getStyler().setPlotGridLinesColor(GRID);
        chart.getStyler().setPlotGridLinesStroke(new BasicStroke(1f));
        chart.getStyler().setChartTitleBoxVisible(false);
        chart.getStyler().setMarkerSize(5);
        return chart;
    }

    private static byte[] svg(XYChart chart) {
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
