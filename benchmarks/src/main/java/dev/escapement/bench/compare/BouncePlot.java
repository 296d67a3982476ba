package dev.escapement.bench.compare;

import dev.escapement.bench.compare.contest.Contestant;
import dev.escapement.bench.compare.contest.LoadProfile;
import dev.escapement.bench.compare.contest.RefreshCase;
import dev.escapement.bench.compare.scene.Ball;
import dev.escapement.bench.compare.virtual.VirtualContest;
import dev.escapement.bench.measure.Series;
import dev.escapement.bench.report.Curve;
import dev.escapement.bench.report.Curve.Style;
import dev.escapement.bench.report.CurvePlot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The path of the ball around a bounce: where it is, and where contestants draw it. */
final class BouncePlot {

    private static final int MILLIS_BEFORE = 70;
    private static final int MILLIS_AFTER = 150;

    private BouncePlot() {}

    static byte[] svg(Map<Contestant, Integer> colours) {
        double bounce = Ball.bounceAfter(VirtualContest.WARM_UP_SECONDS + 2);
        double bounceMeasured = bounce - VirtualContest.WARM_UP_SECONDS;
        List<Curve> curves = new ArrayList<>();
        curves.add(new Curve("the ball itself", flight(bounce), Style.LINE, Curve.GREY));
        curves.addAll(ComparePlots.curves(
                colours,
                new VirtualContest(LoadProfile.HEAVY, RefreshCase.FPS_60),
                measured -> millisAround(measured.ballHeight(), bounceMeasured),
                Style.POINTS_ON_LINE));
        return CurvePlot.svg("Path of a ball, 60 fps, heavy load", "milliseconds after it bounced", "metres", curves);
    }

    /** Where the ball is at a moment, whoever draws it. */
    private static Series flight(double bounce) {
        Series flight = new Series(MILLIS_BEFORE + MILLIS_AFTER);
        Ball ball = new Ball();
        ball.fly(bounce - MILLIS_BEFORE / 1e3);
        for (int millis = -MILLIS_BEFORE; millis < MILLIS_AFTER; millis++) {
            flight.add(millis, ball.height());
            ball.fly(1e-3);
        }
        return flight;
    }

    private static Series millisAround(Series series, double second) {
        Series part = series.between(second - MILLIS_BEFORE / 1e3, second + MILLIS_AFTER / 1e3);
        double[] x = part.x();
        double[] y = part.y();
        Series millis = new Series(x.length);
        for (int i = 0; i < x.length; i++) {
            millis.add((x[i] - second) * 1e3, y[i]);
        }
        return millis;
    }
}
