package dev.escapement.bench.report;

import com.samskivert.mustache.Mustache;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The report of a run as one HTML file, made from the Mustache template {@code report.html}. */
public final class ReportPage {

    private static final String CHART = "/dev/escapement/render/web/page/chart.umd.min.js";
    private static final String ZOOM =
            "/META-INF/resources/webjars/chartjs-plugin-zoom/2.2.0/dist/chartjs-plugin-zoom.min.js";

    private ReportPage() {}

    /** Fills the template with values and plots. The values must include "title" and "headline"; all others may be missing. */
    public static String html(Map<String, Object> given, List<Plot> plots) {
        Map<String, Object> values = new HashMap<>(given);
        values.put("plots", plots);
        values.put("hasPlots", !plots.isEmpty());
        values.put("hasFigures", values.containsKey("figures"));
        values.put("scripts", List.of(text(CHART), text(ZOOM), text("plots.js")));
        return Mustache.compiler().nullValue("").compile(text("report.html")).execute(values);
    }

    /**
     * Returns the text of a resource, without the line that names a source map, for which a browser's developer tools would search in vain.
     */
    private static String text(String resource) {
        try (InputStream in = Objects.requireNonNull(ReportPage.class.getResourceAsStream(resource), resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replaceAll("//# sourceMappingURL=.*", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
