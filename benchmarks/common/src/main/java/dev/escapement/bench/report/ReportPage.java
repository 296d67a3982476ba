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

/** The measurements as a page in a single file, from the Mustache template {@code report.html}. */
public final class ReportPage {

    private static final String CHART = "/dev/escapement/render/web/page/chart.umd.min.js";
    private static final String ZOOM =
            "/META-INF/resources/webjars/chartjs-plugin-zoom/2.2.0/dist/chartjs-plugin-zoom.min.js";

    private ReportPage() {}

    /**
     * A table of the page below the plots.
     *
     * @param heading above it
     * @param note    below it, empty for none
     * @param kind    "durations" if all columns but the first are numbers, else empty
     * @param headers the names of the columns
     * @param rows    their cells
     */
    public record Section(String heading, String note, String kind, List<String> headers, List<List<String>> rows) {

        /** A section with the rows of a table. */
        public static <R> Section of(String heading, String note, String kind, Table<R> table, List<R> rows) {
            return new Section(heading, note, kind, table.headers(), table.cells(rows));
        }
    }

    /** A page of plots; of the other values of the template, only title and answer are needed. */
    public static String html(Map<String, Object> given, List<Plot> plots) {
        Map<String, Object> values = new HashMap<>(given);
        values.put("plots", plots);
        values.put("scripts", List.of(text(CHART), text(ZOOM), text("plots.js")));
        return Mustache.compiler().nullValue("").compile(text("report.html")).execute(values);
    }

    /** A resource, without the comment that makes a browser's developer tools look for a missing file. */
    private static String text(String resource) {
        try (InputStream in = Objects.requireNonNull(ReportPage.class.getResourceAsStream(resource), resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).replaceAll("//# sourceMappingURL=.*", "");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
