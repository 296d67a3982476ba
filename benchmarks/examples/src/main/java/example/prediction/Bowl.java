package example.prediction;

import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.restore.StateHash;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;

/** Balls in a shallow bowl. Each player pushes one of the first, with two axes: the player's number doubled, and the next one. */
final class Bowl implements Simulation, Restorable {

    static final int PLAYERS = 2;
    static final int BALLS = 10;
    static final double RADIUS_METRES = 0.5;
    private static final double PUSH = 8;
    private static final double PULL = 2;
    private static final double FRICTION = 0.5;

    private static final int AXES = 4 * BALLS;

    /** Of each ball x, z, and their velocities; then the axes in the last tick. */
    private final double[] state = new double[AXES + 2 * PLAYERS];

    Bowl() {
        for (int ball = 0; ball < BALLS; ball++) {
            state[4 * ball] = 1.6 * (ball % 5 - 2);
            state[4 * ball + 1] = ball < 5 ? -1.5 : 1.5;
        }
    }

    double x(int ball) {
        return state[4 * ball];
    }

    double z(int ball) {
        return state[4 * ball + 1];
    }

    double axis(int code) {
        return state[AXES + code];
    }

    @Override
    public void step(Tick tick) {
        for (int code = 0; code < 2 * PLAYERS; code++) {
            state[AXES + code] = tick.input().state().axis(code);
            state[4 * (code / 2) + 2 + code % 2] += PUSH * axis(code) * tick.dtSeconds();
        }
        for (int ball = 0; ball < BALLS; ball++) {
            for (int at = 4 * ball; at < 4 * ball + 2; at++) {
                state[at + 2] -= (PULL * state[at] + FRICTION * state[at + 2]) * tick.dtSeconds();
                state[at] += state[at + 2] * tick.dtSeconds();
            }
            for (int other = 0; other < ball; other++) {
                bounce(4 * ball, 4 * other);
            }
        }
    }

    private void bounce(int a, int b) {
        double x = state[a] - state[b];
        double z = state[a + 1] - state[b + 1];
        double distance = Math.sqrt(x * x + z * z);
        double towards = x * (state[b + 2] - state[a + 2]) + z * (state[b + 3] - state[a + 3]);
        if (distance < 2 * RADIUS_METRES
                && towards > 0) { // equal masses exchange their velocities along the line between them
            double exchanged = towards / (distance * distance);
            state[a + 2] += x * exchanged;
            state[a + 3] += z * exchanged;
            state[b + 2] -= x * exchanged;
            state[b + 3] -= z * exchanged;
        }
    }

    @Override
    public void capture(PoseWriter poses) {
        poses.bodyCount(BALLS);
        show(poses, 0, 0);
    }

    /** Writes the balls into slots from one on, moved along x. */
    void show(PoseWriter poses, int firstSlot, double metres) {
        for (int ball = 0; ball < BALLS; ball++) {
            double height = RADIUS_METRES + 0.05 * (x(ball) * x(ball) + z(ball) * z(ball));
            poses.set(firstSlot + ball, (float) (x(ball) + metres), (float) height, (float) z(ball), 0, 0, 0, 1);
        }
    }

    @Override
    public long hash() {
        long hash = StateHash.start();
        for (double number : state) {
            hash = StateHash.add(hash, number);
        }
        return StateHash.finish(hash);
    }

    @Override
    public void save(StateBuffer to) {
        for (double number : state) {
            to.put(number);
        }
    }

    @Override
    public void restore(StateBuffer from) {
        for (int i = 0; i < state.length; i++) {
            state[i] = from.getDouble();
        }
    }
}
