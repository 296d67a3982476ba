package dev.escapement.bench.report;

import java.awt.Color;
import java.util.List;
import org.knowm.xchart.HorizontalBarChart;
import org.knowm.xchart.HorizontalBarChartBuilder;

/** Draws horizontal bars, as SVG. */
public final class BarPlot {

    private static final int BAR_HEIGHT = 24;

    private BarPlot() {}

    /**
     * A length for each name.
     *
     * @param name    what the legend says
     * @param lengths as many as there are names
     * @param rgb     their colour
     */
    public record Bars(String name, List<Double> lengths, int rgb) {}

    /** The plot, with the names from the top down. */
    public static byte[] svg(String title, String unit, List<String> names, List<Bars> bars) {
        HorizontalBarChart chart = new HorizontalBarChartBuilder()
                .width(ChartStyle.WIDTH)
                .height(ChartStyle.HEIGHT / 3 + BAR_HEIGHT * names.size())
                .title(title)
                .xAxisTitle(unit)
                .build();
        ChartStyle.apply(chart.getStyler(), true);
        chart.getStyler().setLabelsVisible(false);
        // Every name: what XChart calls the spacing of x is that of names, though they are on the other axis.
        chart.getStyler().setXAxisTickMarkSpacingHint(BAR_HEIGHT / 2);
        for (Bars series : bars) {
            chart.addSeries(series.name(), series.lengths(), names).setFillColor(new Color(series.rgb()));
        }
        return ChartStyle.svg(chart.getWidth(), chart.getHeight(), chart::paint);
    }
}
