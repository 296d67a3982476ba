package dev.escapement.bench.compare;

import dev.escapement.bench.compare.Comparison.Result;
import dev.escapement.bench.measure.Series;
import dev.escapement.bench.report.Plot;
import dev.escapement.bench.report.Plot.Colour;
import dev.escapement.bench.report.Plot.Curve;
import dev.escapement.bench.report.Plot.Style;
import dev.escapement.render.clock.LookAhead;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** One plot for each question: the virtual clock again, frame by frame, under the heavy load at 144 frames a second. */
final class ComparePlots {

    private static final int SECONDS_OF_ERRORS = 2;

    private ComparePlots() {}

    static Plot error() {
        Map<Contestant, Colour> colours = new TreeMap<>(Map.of(
                Contestant.ACCUMULATOR, Colour.GREEN,
                Contestant.NEWEST, Colour.ORANGE,
                Contestant.BY_ARRIVAL, Colour.VIOLET,
                Contestant.SERVICE_3, Colour.TEAL));
        List<Curve> curves = new ArrayList<>();
        colours.forEach((contestant, colour) -> {
            Series errors = VirtualContest.measure(atMainRates(contestant)).errorMillis();
            curves.add(new Curve(contestant.title, errors.between(0, SECONDS_OF_ERRORS), Style.POINTS, colour));
        });
        return Plot.curves("Animation error, 144 fps, heavy load", "seconds", "milliseconds", """
                How evenly does it move? Each point is a frame: how much further, or less far, the picture moved than the world did
                since the frame before. Zero is perfect, beyond 2 ms it is visible stutter.""", curves);
    }

    /** The others as they were measured, and the service at each age that it can have. */
    static Plot ageAndPlace(List<Result> results) {
        Series others = new Series(results.size());
        for (Result result : results) {
            boolean isMain = result.load() == LoadProfile.HEAVY && result.refresh() == RefreshCase.FPS_144;
            if (isMain && !result.contestant().isEscapement()) {
                add(others, result);
            }
        }
        Series service = new Series(results.size());
        for (int halfTicks = 2 * LookAhead.MOST_TICKS; halfTicks >= 0; halfTicks--) {
            double ahead = halfTicks / 2.0;
            Function<GameLoops, GameLoop> loop = loops -> loops.service(LookAhead.LEAST_SNAPSHOTS, ahead);
            add(
                    service,
                    VirtualContest.measure(atMainRates(Contestant.SERVICE_AHEAD), loop)
                            .result());
        }
        return Plot.curves(
                "Age and place, 144 fps, heavy load",
                "how old the picture is, milliseconds",
                "error of place, p99, millimetres",
                """
                What does a younger picture cost? Escapement can look 2, 1.5, 1, 0.5 and 0 ticks ahead (from the left), and is as even at each
                age; it draws a bouncing ball where it would be if it went on as it went. The grey points are the others: those that draw only what
                they know are right, and old.""",
                List.of(
                        new Curve("other loops and patterns", others, Style.POINTS, Colour.GREY),
                        new Curve("Escapement, 2 to 0 ticks ahead", service, Style.POINTS_ON_LINE, Colour.TEAL)));
    }

    private static Case atMainRates(Contestant contestant) {
        return new Case(contestant, LoadProfile.HEAVY, RefreshCase.FPS_144);
    }

    private static void add(Series series, Result result) {
        if (result.lookBehindMicros() != null && result.positionMicrometres() != null) {
            series.add(
                    result.lookBehindMicros().mean() / 1e3,
                    result.positionMicrometres().p99() / 1e3);
        }
    }
}
