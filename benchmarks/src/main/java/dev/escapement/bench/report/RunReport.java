package dev.escapement.bench.report;

import dev.escapement.bench.measure.Performance;
import dev.escapement.bench.measure.RunResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** The page with the plots and the picture, in one file that needs no other. */
public final class RunReport {

    private static final String TEMPLATE = "run-report.html";

    private RunReport() {}

    /**
     * Writes the page, whole or not at all.
     *
     * @param file        where to
     * @param performance the run
     * @param picturePng  the picture of the scene, empty if there is none
     * @param noPicture   why there is none, empty if there is one
     */
    public static void write(Path file, Performance performance, byte[] picturePng, String noPicture) {
        WholeFile.write(file, html(performance, picturePng, noPicture).getBytes(StandardCharsets.UTF_8));
    }

    static String html(Performance performance, byte[] picturePng, String noPicture) {
        RunResult result = performance.result();
        List<Map<String, String>> counts = new ArrayList<>();
        for (String[] row : SummaryTable.countRows(result)) {
            counts.add(Map.of("name", row[0], "value", row[1]));
        }
        return HtmlPage.fill(
                RunReport.class,
                TEMPLATE,
                Map.of(
                        "headline", SummaryTable.headline(result),
                        "java", result.java(),
                        "warmUp", result.warmUpSeconds(),
                        "counts", counts,
                        "distributions", SummaryTable.distributionRows(result),
                        "faults", result.faults(),
                        "plots", plots(performance),
                        "picture", Base64.getEncoder().encodeToString(picturePng),
                        "hasPicture", picturePng.length > 0,
                        "noPicture", noPicture));
    }

    private static List<Map<String, String>> plots(Performance performance) {
        LiveliestPart part = LiveliestPart.of(performance.path());
        return List.of(
                HtmlPage.plot(
                        Plots.path("One body's path", part.ticks(), part.frames()),
                        "Orange: the height of one body as it was simulated, a step per tick; a renderer that draws the"
                                + " newest snapshot shows these stairs. Blue: as it was shown, a point per frame. The"
                                + " frames lie on straight lines between ticks, evenly spread."),
                HtmlPage.plot(
                        Plots.overTime(
                                "Animation error by display slot",
                                "microseconds",
                                performance.frames().slotErrorOverTime()),
                        "How much further (or less far) the picture moved from one frame to the next than it should"
                                + " have, read off a body drawn at constant velocity. The start shows the cover for the"
                                + " publish delay being learned; 200 us is a good single GPU, 2000 us visible stutter."),
                HtmlPage.plot(
                        Plots.distribution("Tick lateness", performance.ticks().lateness()),
                        "How late ticks started after they were due."),
                HtmlPage.plot(
                        Plots.distribution("Step time", performance.ticks().step()),
                        "How long the simulation took for one tick."),
                HtmlPage.plot(
                        Plots.distribution("Publish delay", performance.ticks().publishDelay()),
                        "From the moment a tick was due to its snapshot being visible to readers."),
                HtmlPage.plot(
                        Plots.distribution(
                                "Input to snapshot",
                                performance.ticks().inputs().toSnapshot()),
                        "From the stamp of an input event to the moment readers can see the tick that includes it: evenly"
                                + " spread over a tick, and the publish delay."),
                HtmlPage.plot(
                        Plots.distribution(
                                "Input to frame", performance.frames().inputToFrame(performance.ticks())),
                        "From the stamp of an input event to the end of the drawing of the first frame it shows in."),
                HtmlPage.plot(
                        Plots.distribution(
                                "Frame interval", performance.frames().interval()),
                        "Between the ends of two frames; a single peak is an even rhythm."));
    }
}
