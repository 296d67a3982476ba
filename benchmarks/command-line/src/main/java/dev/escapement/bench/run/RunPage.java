package dev.escapement.bench.run;

import dev.escapement.bench.measure.WorstMoment;
import dev.escapement.bench.report.Plot;
import dev.escapement.bench.report.Plot.Line;
import dev.escapement.bench.report.ReportPage;
import dev.escapement.bench.run.MainJob.Performance;
import java.util.List;
import java.util.stream.Stream;

/** The page of a run. */
final class RunPage {

    private RunPage() {}

    static String html(Performance performance) {
        return ReportPage.html(performance.result().metrics().forPage(), plots(performance));
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
}
