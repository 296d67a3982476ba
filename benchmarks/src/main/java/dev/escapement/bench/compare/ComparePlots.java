package dev.escapement.bench.compare;

import static dev.escapement.bench.compare.contest.Contestant.ACCUMULATOR;
import static dev.escapement.bench.compare.contest.Contestant.BY_ARRIVAL;
import static dev.escapement.bench.compare.contest.Contestant.CAPPED_TICKS;
import static dev.escapement.bench.compare.contest.Contestant.FRAME_LOCKED;
import static dev.escapement.bench.compare.contest.Contestant.LIE_ABOUT_TIME;
import static dev.escapement.bench.compare.contest.Contestant.NEWEST;
import static dev.escapement.bench.compare.contest.Contestant.NEXT_TICK;
import static dev.escapement.bench.compare.contest.Contestant.SERVICE_3;

import dev.escapement.bench.compare.contest.Contestant;
import dev.escapement.bench.compare.contest.LoadProfile;
import dev.escapement.bench.compare.contest.RefreshCase;
import dev.escapement.bench.compare.contest.Result;
import dev.escapement.bench.compare.measure.Curves;
import dev.escapement.bench.compare.virtual.VirtualContest;
import dev.escapement.bench.measure.Series;
import dev.escapement.bench.report.BarPlot;
import dev.escapement.bench.report.BarPlot.Bars;
import dev.escapement.bench.report.Curve;
import dev.escapement.bench.report.Curve.Style;
import dev.escapement.bench.report.CurvePlot;
import dev.escapement.bench.report.HtmlPage;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** One plot for each question: the virtual clock again, frame by frame, under the heavy load. */
final class ComparePlots {

    private static final LoadProfile LOAD = LoadProfile.HEAVY;
    private static final int FREEZE_AFTER_SECONDS = 5;
    private static final int SECONDS_OF_ERRORS = 2;
    private static final int VISIBLE_MILLIS = 2;

    private static final Map<Contestant, Integer> FOUR = colours(NEWEST, BY_ARRIVAL, ACCUMULATOR, SERVICE_3);
    private static final Map<Contestant, Integer> SIX =
            colours(FRAME_LOCKED, CAPPED_TICKS, ACCUMULATOR, LIE_ABOUT_TIME, NEXT_TICK, SERVICE_3);

    private ComparePlots() {}

    static List<Map<String, String>> of(List<Result> results) {
        return List.of(
                HtmlPage.plot(BouncePlot.svg(FOUR), """
                        What does the path look like? A ball bounces, drawn 60 times a second; each point is a frame, at the moment it is
                        displayed. Grey is where the ball is at that moment. A good path is the grey one, moved to the right, with its
                        points evenly spread."""),
                HtmlPage.plot(error(), """
                        How evenly does it move? Each point is a frame: how much further, or less far, the picture moved than the world did
                        since the frame before. Zero is perfect, beyond 2 ms it is visible stutter."""),
                HtmlPage.plot(freeze(), """
                        Does the world keep time? How far it is ahead of real time when the renderer freezes for a second after five, at 60
                        ticks a second. What runs in the renderer's thread stops with it, and loses that time or has to make up for it;
                        physics on a thread of its own does not notice."""),
                HtmlPage.plot(latency(results), """
                        What does it cost? How old the picture is when it is displayed. To blend between known states costs a tick, to
                        cover the slowest step costs what that takes. Where mean and p99 are the same, the age never changes."""));
    }

    private static byte[] error() {
        List<Curve> curves = new ArrayList<>();
        curves.add(new Curve("visible beyond", visibleBeyond(), Style.LINE, Curve.GREY));
        curves.addAll(curves(
                FOUR,
                new VirtualContest(LOAD, RefreshCase.FPS_144),
                measured -> measured.errorMillis().between(0, SECONDS_OF_ERRORS),
                Style.POINTS));
        return CurvePlot.svg("Animation error, 144 fps, heavy load", "seconds", "milliseconds", curves);
    }

    /** There along 2 ms, and back along -2 ms. */
    private static Series visibleBeyond() {
        double margin = 0.02;
        Series band = new Series(4);
        band.add(-margin, VISIBLE_MILLIS);
        band.add(SECONDS_OF_ERRORS + margin, VISIBLE_MILLIS);
        band.add(SECONDS_OF_ERRORS + margin, -VISIBLE_MILLIS);
        band.add(-margin, -VISIBLE_MILLIS);
        return band;
    }

    private static byte[] freeze() {
        VirtualContest contest = new VirtualContest(LOAD, RefreshCase.FPS_55_AT_60_HZ);
        List<Curve> curves = new ArrayList<>();
        SIX.forEach((contestant, rgb) -> {
            Curves measured =
                    contest.measureWithFreeze(contestant, FREEZE_AFTER_SECONDS).curves();
            curves.add(new Curve(contestant.toString(), measured.aheadMillis(), Style.LINE, rgb));
        });
        return CurvePlot.svg("Simulated less real time, 55 fps, heavy load", "seconds", "milliseconds", curves);
    }

    /** What contestants did, each in its colour. */
    static List<Curve> curves(
            Map<Contestant, Integer> contestants,
            VirtualContest contest,
            Function<Curves, Series> series,
            Style style) {
        List<Curve> curves = new ArrayList<>();
        contestants.forEach((contestant, rgb) -> curves.add(new Curve(
                contestant.toString(), series.apply(contest.measure(contestant).curves()), style, rgb)));
        return curves;
    }

    private static byte[] latency(List<Result> results) {
        List<String> names = new ArrayList<>();
        List<Double> means = new ArrayList<>();
        List<Double> p99s = new ArrayList<>();
        for (Result result : results) {
            if (result.load() == LOAD && result.refresh() == RefreshCase.FPS_144 && result.lookBehindMicros() != null) {
                names.add(result.contestant().toString());
                means.add(result.lookBehindMicros().mean() / 1e3);
                p99s.add(result.lookBehindMicros().p99() / 1e3);
            }
        }
        return BarPlot.svg(
                "Age of the picture, 144 fps, heavy load",
                "milliseconds",
                names,
                List.of(new Bars("mean", means, Curve.TEAL), new Bars("p99", p99s, Curve.ORANGE)));
    }

    /** In this order, the service in teal. */
    private static Map<Contestant, Integer> colours(Contestant... contestants) {
        int[] palette = {Curve.ORANGE, Curve.VIOLET, Curve.GREEN, Curve.RED, Curve.GREY};
        Map<Contestant, Integer> colours = new LinkedHashMap<>();
        for (int i = 0; i < contestants.length; i++) {
            colours.put(contestants[i], contestants[i].isEscapement() ? Curve.TEAL : palette[i]);
        }
        return colours;
    }
}
