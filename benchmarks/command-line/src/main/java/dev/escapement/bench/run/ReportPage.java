package dev.escapement.bench.run;

import com.samskivert.mustache.Mustache;
import dev.escapement.bench.measure.WorstMoment;
import dev.escapement.bench.run.MainJob.Performance;
import dev.escapement.bench.run.Plot.Line;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The metrics of a run as a page in a single file, from the Mustache template {@code report.html}. */
public final class ReportPage {

    private static final String CHART = "/dev/escapement/render/web/page/chart.umd.min.js";
    private static final String ZOOM =
            "/META-INF/resources/webjars/chartjs-plugin-zoom/2.2.0/dist/chartjs-plugin-zoom.min.js";

    private ReportPage() {}

    static String html(Performance performance) {
        return html(performance.result().metrics().forPage(), plots(performance));
    }

    /** A page of plots; of the other values of the template, only title and answer are needed. */
    public static String html(Map<String, Object> given, List<Plot> plots) {
        Map<String, Object> values = new HashMap<>(given);
        values.put("plots", plots);
        values.put("scripts", List.of(text(CHART), text(ZOOM), text("plots.js")));
        return Mustache.compiler().nullValue("").compile(text("report.html")).execute(values);
    }

    /** The path first, if there is a body whose place is known. */
    private static List<Plot> plots(Performance performance) {
        WorstMoment worst = performance.frames().worstMoment();
        Plot path = new Plot(
                worst.isEven()
                        ? "The path of one body: no frame was out of place"
                        : "The path of one body, around the worst frame",
                "Dots: where the picture showed the body that moves at constant velocity. Line: where it was due at that moment."
                        + " A level part, or a jump back of the line, is time that was skipped.",
                "seconds",
                "metres",
                false,
                worst.shown(),
                List.of(new Line("due", worst.due())));
        Plot errors = new Plot(
                "Animation error of each frame",
                "How much too far (or not far enough, if negative) the picture moved from one frame to the next. At the start the"
                        + " interpolation delay is being learned. 0.2 ms is not seen, 2 ms is stutter.",
                "seconds since the first frame",
                "milliseconds",
                false,
                performance.frames().slotErrorOverTime().points(),
                List.of());
        Plot lateness = Plot.histogram(
                "Tick lateness",
                "How late ticks started after they were due.",
                performance.ticks().lateness());
        return Stream.of(path, errors, lateness)
                .filter(plot -> !plot.points().isEmpty())
                .toList();
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
