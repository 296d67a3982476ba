package dev.escapement.bench.report;

import de.erichseifert.vectorgraphics2d.Processors;
import de.erichseifert.vectorgraphics2d.VectorGraphics2D;
import de.erichseifert.vectorgraphics2d.util.PageSize;
import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Graphics2D;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler.LegendLayout;
import org.knowm.xchart.style.Styler.LegendPosition;

/** What all plots look like. */
final class ChartStyle {

    static final int WIDTH = 620;
    static final int HEIGHT = 340;

    private static final Pattern DIGITS = Pattern.compile("(\\d\\.\\d\\d)\\d+");
    private static final Color GRID = new Color(0xe6e6e6);

    private ChartStyle() {}

    /** What draws a chart of a size. */
    @FunctionalInterface
    interface Painter {
        void paint(Graphics2D graphics, int width, int height);
    }

    static XYChart chart(String title, String xTitle, String yTitle) {
        XYChart chart = new XYChartBuilder()
                .width(WIDTH)
                .height(HEIGHT)
                .title(title)
                .xAxisTitle(xTitle)
                .yAxisTitle(yTitle)
                .build();
        apply(chart.getStyler(), false);
        chart.getStyler().setMarkerSize(5);
        return chart;
    }

    static void apply(AxesChartStyler styler, boolean legend) {
        styler.setChartBackgroundColor(Color.WHITE);
        styler.setPlotBorderVisible(false);
        styler.setPlotGridLinesColor(GRID);
        styler.setPlotGridLinesStroke(new BasicStroke(1f));
        styler.setChartTitleBoxVisible(false);
        styler.setLegendVisible(legend);
        styler.setLegendPosition(LegendPosition.OutsideS);
        styler.setLegendLayout(LegendLayout.Horizontal);
        styler.setLegendBorderColor(Color.WHITE);
        styler.setLegendSeriesLineLength(12);
        styler.setLegendPadding(5);
    }

    static byte[] svg(int width, int height, Painter painter) {
        VectorGraphics2D graphics = new VectorGraphics2D();
        painter.paint(graphics, width, height);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            Processors.get("svg")
                    .getDocument(graphics.getCommands(), new PageSize(width, height))
                    .writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        // Hundredths of a pixel are enough, and leave a page half as large.
        return DIGITS.matcher(out.toString(StandardCharsets.UTF_8))
                .replaceAll("$1")
                .getBytes(StandardCharsets.UTF_8);
    }
}
