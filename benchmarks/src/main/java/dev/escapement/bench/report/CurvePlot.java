package dev.escapement.bench.report;

import dev.escapement.bench.report.Curve.Style;
import java.awt.BasicStroke;
import java.awt.Color;
import java.util.List;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.XYSeries.XYSeriesRenderStyle;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** Draws curves into one plot, as SVG. */
public final class CurvePlot {

    private CurvePlot() {}

    /** The plot, with a legend if there are several. Curves without points are left out. */
    public static byte[] svg(String title, String xTitle, String yTitle, List<Curve> curves) {
        XYChart chart = ChartStyle.chart(title, xTitle, yTitle);
        chart.getStyler().setLegendVisible(curves.size() > 1);
        chart.getStyler().setXAxisDecimalPattern("#,##0.###");
        for (Curve curve : curves) {
            if (curve.series().x().length > 0) {
                draw(chart, curve);
            }
        }
        return ChartStyle.svg(chart.getWidth(), chart.getHeight(), chart::paint);
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
}
