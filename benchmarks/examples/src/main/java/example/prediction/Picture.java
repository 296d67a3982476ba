package example.prediction;

import example.prediction.Server.Move;
import org.HdrHistogram.Histogram;

/** A bowl as a player sees it, and what that was like for the own ball. */
final class Picture {

    final Bowl bowl = new Bowl();
    final Histogram delayTicks = new Histogram(3);
    final Histogram jumpMillimetres = new Histogram(3);
    final Histogram errorMillimetres = new Histogram(3);

    /** Where the ball was shown in the last ticks, each at its number modulo the length. */
    private final double[][] shown = new double[4 * Player.AHEAD][2];

    private final int ball;
    private Move waiting = new Move(0, 0, 0);

    Picture(int ball) {
        this.ball = ball;
    }

    /** The bowl is shown when the player makes a move. */
    void show(Move move) {
        if (move.x() != waiting.x() || move.z() != waiting.z()) {
            waiting = move;
        }
        if (bowl.axis(2 * ball) == waiting.x() && bowl.axis(2 * ball + 1) == waiting.z() && waiting.tick() > 0) {
            delayTicks.recordValue(move.tick() - waiting.tick());
            waiting = new Move(0, waiting.x(), waiting.z());
        }
        double[] place = shown[(int) (move.tick() % shown.length)];
        place[0] = bowl.x(ball);
        place[1] = bowl.z(ball);
    }

    /** What was shown in a tick is corrected. */
    void corrected(long tick) {
        jumpMillimetres.recordValue(millimetres(tick, bowl));
    }

    /** It turns out what should have been shown in a tick. */
    void compare(long tick, Bowl right) {
        if (tick > Player.AHEAD) {
            errorMillimetres.recordValue(millimetres(tick, right));
        }
    }

    private long millimetres(long tick, Bowl other) {
        double[] place = shown[(int) (tick % shown.length)];
        return Math.round(1000 * Math.hypot(place[0] - other.x(ball), place[1] - other.z(ball)));
    }
}
