package dev.escapement.bench.report;

import com.samskivert.mustache.Mustache;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * Pages made of a Mustache template, in one file that needs no other. A template begins with the part {@code head.html}, ends with
 * {@code foot.html}, and shows a {@link Table} with {@code table.html} and a list of {@link Plot}s with {@code plots.html}.
 */
public final class HtmlPage {

    private static final String CHART = "/META-INF/resources/webjars/chart.js/4.5.1/dist/chart.umd.min.js";
    private static final String ZOOM =
            "/META-INF/resources/webjars/chartjs-plugin-zoom/2.2.0/dist/chartjs-plugin-zoom.min.js";

    private HtmlPage() {}

    /**
     * A page.
     *
     * @param beside   a class whose package has the template
     * @param template the name of a Mustache template
     * @param values   what it names
     */
    public static String fill(Class<?> beside, String template, Map<String, Object> values) {
        Map<String, Object> all = new HashMap<>(values);
        all.put("chartLibrary", withoutSourceMap(text(HtmlPage.class, CHART)));
        all.put("zoomLibrary", withoutSourceMap(text(HtmlPage.class, ZOOM)));
        all.put("plotScript", text(HtmlPage.class, "plots.js"));
        return Mustache.compiler()
                .emptyStringIsFalse(true)
                .withLoader(part -> new StringReader(text(HtmlPage.class, part)))
                .compile(text(beside, template))
                .execute(all);
    }

    /** Writes a page, whole or not at all. */
    public static void write(Path file, String page) {
        WholeFile.write(file, page.getBytes(StandardCharsets.UTF_8));
    }

    /** Without the comment that lets a browser's developer tools look for a file that is not there. */
    private static String withoutSourceMap(String script) {
        return script.replaceAll("//# sourceMappingURL=.*", "");
    }

    private static String text(Class<?> beside, String resource) {
        try (InputStream in = Objects.requireNonNull(beside.getResourceAsStream(resource), resource)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
