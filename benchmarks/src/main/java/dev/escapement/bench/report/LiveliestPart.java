package dev.escapement.bench.report;

import dev.escapement.bench.measure.BodyPath;
import dev.escapement.bench.measure.Series;

/**
 * The part of a path that is worth looking at: the third of a second in which the body turned most, because there ticks and
 * frames are seen apart.
 *
 * @param ticks  the ticks in that part
 * @param frames the frames in that part
 */
record LiveliestPart(Series ticks, Series frames) {

    private static final double SECONDS = 0.33;

    static LiveliestPart of(BodyPath path) {
        double[] x = path.ticks().x();
        double[] y = path.ticks().y();
        double bestFrom = x.length == 0 ? 0 : x[0];
        double bestTurn = -1;
        int last = 0;
        for (int first = 0; first < x.length; first += 5) {
            while (last < x.length && x[last] < x[first] + SECONDS) {
                last++;
            }
            if (last == x.length) {
                break;
            }
            double turn = turn(y, first, last);
            if (turn > bestTurn) {
                bestTurn = turn;
                bestFrom = x[first];
            }
        }
        double to = bestFrom + SECONDS;
        return new LiveliestPart(
                path.ticks().between(bestFrom, to), path.frames().between(bestFrom, to));
    }

    /** Travel up and travel down, the lesser of the two: large where the body goes both ways. */
    private static double turn(double[] y, int first, int last) {
        double up = 0;
        double down = 0;
        for (int i = first + 1; i < last; i++) {
            double step = y[i] - y[i - 1];
            up += Math.max(0, step);
            down += Math.max(0, -step);
        }
        return Math.min(up, down);
    }
}
