package dev.escapement.bench.run;

import dev.escapement.bench.report.Plot;
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

    private static List<Plot> plots(Performance performance) {
        Plot errors = new Plot(
                "Animation error of each frame",
                "How much too far (or not far enough, if negative) the picture moved from one frame to the next. At the start the"
                        + " interpolation delay is being learned. 0.2 ms is not seen, 2 ms is stutter.",
                "seconds since the first frame",
                "milliseconds",
                false,
                performance.frames().slotErrorOverTime().points());
        Plot lateness = Plot.histogram(
                "Tick lateness",
                "How late ticks started after they were due.",
                performance.ticks().lateness());
        return Stream.of(errors, lateness)
                .filter(plot -> !plot.points().isEmpty())
                .toList();
    }
}
