package dev.escapement.bench.compare;

import static dev.escapement.bench.compare.Contestant.ACCUMULATOR;
import static dev.escapement.bench.compare.Contestant.BY_ARRIVAL;
import static dev.escapement.bench.compare.Contestant.CAPPED_TICKS;
import static dev.escapement.bench.compare.Contestant.FRAME_LOCKED;
import static dev.escapement.bench.compare.Contestant.LIE_ABOUT_TIME;
import static dev.escapement.bench.compare.Contestant.NEWEST;
import static dev.escapement.bench.compare.Contestant.NEXT_TICK;
import static dev.escapement.bench.compare.Contestant.SERVICE_3;

import dev.escapement.bench.measure.Distribution.Summary;
import dev.escapement.bench.measure.Series;
import dev.escapement.bench.report.Plot;
import dev.escapement.bench.report.Plot.Colour;
import dev.escapement.bench.report.Plot.Curve;
import dev.escapement.bench.report.Plot.Style;
import dev.escapement.render.interpolation.Interpolation.Positions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** One plot for each question: the virtual clock again, frame by frame, under the heavy load. */
final class ComparePlots {

    private static final LoadProfile LOAD = LoadProfile.HEAVY;
    private static final int FREEZE_AFTER_SECONDS = 5;
    private static final int SECONDS_OF_ERRORS = 2;
    private static final int VISIBLE_MILLIS = 2;
    private static final int MILLIS_BEFORE_BOUNCE = 70;
    private static final int MILLIS_AFTER_BOUNCE = 150;

    private static final Map<Contestant, Colour> FOUR = colours(NEWEST, BY_ARRIVAL, ACCUMULATOR, SERVICE_3);
    private static final Map<Contestant, Colour> SIX =
            colours(FRAME_LOCKED, CAPPED_TICKS, ACCUMULATOR, LIE_ABOUT_TIME, NEXT_TICK, SERVICE_3);

    private ComparePlots() {}

    static List<Plot> of(List<Result> results, List<AgeCurve.Point> lookAhead) {
        return List.of(
                bounce(),
                error(),
                freeze(),
                latency(results),
                ageAndTime(results, lookAhead),
                ageAndPlace(results, lookAhead));
    }

    /** The path of the ball around a bounce: where it is, and where contestants draw it. */
    private static Plot bounce() {
        double bounce = Ball.bounceAfter(VirtualContest.WARM_UP_SECONDS + 2);
        double bounceMeasured = bounce - VirtualContest.WARM_UP_SECONDS;
        VirtualContest contest = new VirtualContest(LOAD, RefreshCase.FPS_60);
        List<Curve> curves = curves(
                FOUR,
                contestant -> millisAround(contest.measure(contestant).ballHeight(), bounceMeasured),
                Style.POINTS_ON_LINE);
        curves.add(0, new Curve("the ball itself", flight(bounce), Style.LINE, Colour.GREY));
        return Plot.curves(
                "Path of a ball, 60 fps, heavy load", "milliseconds after it bounced", "metres", """
                What does the path look like? A ball bounces, drawn 60 times a second; each point is a frame, at the moment it is
                displayed. Grey is where the ball is at that moment. A good path is the grey one, moved to the right, with its
                points evenly spread.""", curves);
    }

    /** Where the ball itself is. */
    private static Series flight(double bounce) {
        Series flight = new Series(MILLIS_BEFORE_BOUNCE + MILLIS_AFTER_BOUNCE);
        Ball ball = new Ball();
        ball.fly(bounce - MILLIS_BEFORE_BOUNCE / 1e3);
        for (int millis = -MILLIS_BEFORE_BOUNCE; millis < MILLIS_AFTER_BOUNCE; millis++) {
            flight.add(millis, ball.height());
            ball.fly(1e-3);
        }
        return flight;
    }

    private static Series millisAround(Series series, double second) {
        Series part = series.between(second - MILLIS_BEFORE_BOUNCE / 1e3, second + MILLIS_AFTER_BOUNCE / 1e3);
        double[] x = part.x();
        double[] y = part.y();
        Series millis = new Series(x.length);
        for (int i = 0; i < x.length; i++) {
            millis.add((x[i] - second) * 1e3, y[i]);
        }
        return millis;
    }

    private static Plot error() {
        VirtualContest contest = new VirtualContest(LOAD, RefreshCase.FPS_144);
        List<Curve> curves = curves(
                FOUR,
                contestant -> contest.measure(contestant).errorMillis().between(0, SECONDS_OF_ERRORS),
                Style.POINTS);
        curves.add(0, new Curve("visible beyond", visibleBeyond(), Style.LINE, Colour.GREY));
        return Plot.curves("Animation error, 144 fps, heavy load", "seconds", "milliseconds", """
                How evenly does it move? Each point is a frame: how much further, or less far, the picture moved than the world did
                since the frame before. Zero is perfect, beyond 2 ms it is visible stutter.""", curves);
    }

    /** There along 2 ms, and back along -2 ms. */
    private static Series visibleBeyond() {
        Series band = new Series(4);
        band.add(0, VISIBLE_MILLIS);
        band.add(SECONDS_OF_ERRORS, VISIBLE_MILLIS);
        band.add(SECONDS_OF_ERRORS, -VISIBLE_MILLIS);
        band.add(0, -VISIBLE_MILLIS);
        return band;
    }

    private static Plot freeze() {
        VirtualContest contest = new VirtualContest(LOAD, RefreshCase.FPS_55_AT_60_HZ);
        List<Curve> curves = curves(
                SIX,
                contestant -> contest.measureWithFreeze(contestant, FREEZE_AFTER_SECONDS)
                        .aheadMillis(),
                Style.LINE);
        return Plot.curves("Simulated less real time, 55 fps, heavy load", "seconds", "milliseconds", """
                Does the world keep time? How far it is ahead of real time when the renderer freezes for a second after five, at 60
                ticks a second. What runs in the renderer's thread stops with it, and loses that time or has to make up for it;
                physics on a thread of its own does not notice.""", curves);
    }

    /** What contestants did, each in its colour. */
    private static List<Curve> curves(
            Map<Contestant, Colour> contestants, Function<Contestant, Series> series, Style style) {
        List<Curve> curves = new ArrayList<>();
        contestants.forEach((contestant, colour) ->
                curves.add(new Curve(contestant.title(), series.apply(contestant), style, colour)));
        return curves;
    }

    /** What is shown of each contestant whose world keeps time. */
    private static Stream<Result> aged(List<Result> results) {
        return results.stream().filter(result -> result.isMain(LOAD) && result.lookBehindMicros() != null);
    }

    private static Plot latency(List<Result> results) {
        List<String> names = new ArrayList<>();
        Series means = new Series(Contestant.values().length);
        Series p99s = new Series(Contestant.values().length);
        aged(results).forEach(result -> {
            Summary age = result.requireLookBehindMicros();
            means.add(names.size(), age.mean() / 1e3);
            p99s.add(names.size(), age.p99() / 1e3);
            names.add(result.contestant().title());
        });
        return Plot.bars(
                "Age of the picture, 144 fps, heavy load",
                "milliseconds",
                """
                What does it cost? How old the picture is when it is displayed. To blend between known states costs a tick, to
                cover the slowest step costs what that takes. Where mean and p99 are the same, the age never changes.""",
                names,
                List.of(
                        new Curve("mean", means, Style.BARS, Colour.TEAL),
                        new Curve("p99", p99s, Style.BARS, Colour.ORANGE)));
    }

    private static Plot ageAndTime(List<Result> results, List<AgeCurve.Point> lookAhead) {
        List<Curve> curves = others(results, result -> result.errorMicros().mean() / 1e3);
        curves.add(new Curve(
                "Escapement, 2 to 0 ticks ahead",
                series(lookAhead, Motions.FREE_FLIGHT, Positions.LINEAR, AgeCurve.Point::timeErrorMillis),
                Style.POINTS_ON_LINE,
                Colour.TEAL));
        return Plot.curves(
                "Age and evenness, 144 fps, heavy load",
                "how old the picture is, milliseconds",
                "animation error, mean, milliseconds",
                """
                How young can it be, and how even? Each point is a contestant: to the left is younger, below is more even. Escapement's picture
                can have any age on the line, and is as even at each: what a younger one costs is in the next plot.""",
                curves);
    }

    private static Plot ageAndPlace(List<Result> results, List<AgeCurve.Point> lookAhead) {
        List<Curve> curves = others(
                results,
                result -> result.positionMicrometres() == null
                        ? Double.NaN
                        : result.positionMicrometres().p99() / 1e3);
        for (Motions motion : Motions.values()) {
            Colour colour = switch (motion) {
                case FREE_FLIGHT -> Colour.GREEN;
                case ROLLING -> Colour.ORANGE;
                case BOUNCING_PILE -> Colour.TEAL;
            };
            for (Positions predictor : Positions.values()) {
                curves.add(new Curve(
                        motion.toString().replace('_', ' ') + ", "
                                + (predictor == Positions.LINEAR ? "linear" : "by velocities"),
                        series(lookAhead, motion, predictor, AgeCurve.Point::positionP99),
                        predictor == Positions.LINEAR ? Style.POINTS_ON_LINE : Style.LINE,
                        colour));
            }
        }
        return Plot.curves(
                "Age and place, 144 fps, heavy load",
                "how old the picture is, milliseconds",
                "position error, p99, millimetres",
                """
                What does a younger picture cost? A view that looks 2, 1.5, 1, 0.5 and 0 ticks ahead (from the left) draws bodies where they would
                be if they went on as they went; this is how far from where they turned out to be. What flies or rolls is wrong by a millimetre or
                three, what bounces by more, until it is known. The grey points are the others with a bouncing ball: those that draw only what
                they know are right, and old.""",
                curves);
    }

    /** A point for each other contestant whose world keeps time. */
    private static List<Curve> others(List<Result> results, ToDoubleFunction<Result> figure) {
        Series points = new Series(results.size());
        aged(results)
                .filter(result -> !result.contestant().isEscapement() && !Double.isNaN(figure.applyAsDouble(result)))
                .forEach(result ->
                        points.add(result.requireLookBehindMicros().mean() / 1e3, figure.applyAsDouble(result)));
        return new ArrayList<>(List.of(new Curve("other loops and patterns", points, Style.POINTS, Colour.GREY)));
    }

    private static Series series(
            List<AgeCurve.Point> points, Motions motion, Positions predictor, ToDoubleFunction<AgeCurve.Point> figure) {
        Series series = new Series(points.size() + 1.0);
        points.stream()
                .filter(point -> point.load() == LOAD && point.motion() == motion && point.predictor() == predictor)
                .sorted(Comparator.comparingDouble(AgeCurve.Point::ageMillis))
                .forEach(point -> series.add(point.ageMillis(), figure.applyAsDouble(point)));
        return series;
    }

    /** In this order, the service in teal. */
    private static Map<Contestant, Colour> colours(Contestant... contestants) {
        Colour[] palette = {Colour.ORANGE, Colour.VIOLET, Colour.GREEN, Colour.RED, Colour.GREY};
        Map<Contestant, Colour> colours = new LinkedHashMap<>();
        for (int i = 0; i < contestants.length; i++) {
            colours.put(contestants[i], contestants[i].isEscapement() ? Colour.TEAL : palette[i]);
        }
        return colours;
    }
}
