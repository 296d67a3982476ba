package example.engine;

import dev.escapement.physics.contact.ContactPairs;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.restore.StateHash;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import java.util.BitSet;

/** Balls that bounce on a floor; a key tosses them up again. */
public final class BouncingBalls implements Simulation, Restorable {

    public static final int KEY_TOSS = 32;

    static final double RADIUS_METRES = 0.5;
    private static final double SPACING_METRES = 2;
    private static final double GRAVITY = 9.81;
    private static final double BOUNCE = 0.7;
    private static final double TOSS_METRES_PER_SECOND = 3;

    /** A ball that reaches the floor slower than this stays there. This is the speed that gravity gives in two ticks. */
    private static final double SLOW_METRES_PER_SECOND = 0.2;

    private static final BitSet NOBODY_SLEEPS = new BitSet();

    private final int balls;
    private final double[] x;
    private final double[] y;
    private final double[] z;
    private final double[] vx;
    private final double[] vy;
    private final double[] vz;
    private long random;

    /** The balls whose pose has changed since the last capture. */
    private final BitSet moved = new BitSet();

    private final ContactPairs contacts = new ContactPairs();

    public BouncingBalls(int balls, long seed) {
        this.balls = balls;
        x = new double[balls];
        y = new double[balls];
        z = new double[balls];
        vx = new double[balls];
        vy = new double[balls];
        vz = new double[balls];
        random = seed;
        int edge = (int) Math.ceil(Math.sqrt(balls));
        for (int ball = 0; ball < balls; ball++) {
            int row = ball / edge;
            x[ball] = SPACING_METRES * (ball % edge);
            y[ball] = RADIUS_METRES + 1 + 2 * nextRandom();
            z[ball] = SPACING_METRES * row;
        }
        moved.set(0, balls);
    }

    @Override
    public void step(Tick tick) {
        InputFrame input = tick.input();
        for (int i = 0; i < input.size(); i++) {
            if (input.event(i).kind() == InputKind.KEY_DOWN && input.event(i).code() == KEY_TOSS) {
                toss();
            }
        }
        if (!tick.eventsWanted()) {
            contacts.forget(balls);
        }
        for (int ball = 0; ball < balls; ball++) {
            if (!rests(ball)) {
                move(ball, tick.dtSeconds());
            }
        }
    }

    private void toss() {
        for (int ball = 0; ball < balls; ball++) {
            vx[ball] += nextRandom() - 0.5;
            vy[ball] += TOSS_METRES_PER_SECOND * (0.5 + nextRandom());
            vz[ball] += nextRandom() - 0.5;
        }
    }

    private void move(int ball, double dtSeconds) {
        vy[ball] -= GRAVITY * dtSeconds;
        x[ball] += vx[ball] * dtSeconds;
        y[ball] += vy[ball] * dtSeconds;
        z[ball] += vz[ball] * dtSeconds;
        if (y[ball] <= RADIUS_METRES) {
            y[ball] = RADIUS_METRES;
            bounce(ball);
        }
        moved.set(ball);
    }

    private void bounce(int ball) {
        boolean slow = vy[ball] > -SLOW_METRES_PER_SECOND;
        vx[ball] *= slow ? 0 : BOUNCE;
        vy[ball] *= slow ? 0 : -BOUNCE;
        vz[ball] *= slow ? 0 : BOUNCE;
    }

    private boolean touchesFloor(int ball) {
        return y[ball] == RADIUS_METRES;
    }

    private boolean rests(int ball) {
        return touchesFloor(ball) && vy[ball] == 0;
    }

    @Override
    public void capture(PoseWriter poses) {
        poses.bodyCount(balls);
        for (int ball = moved.nextSetBit(0); ball >= 0; ball = moved.nextSetBit(ball + 1)) {
            poses.set(ball, (float) x[ball], (float) y[ball], (float) z[ball], 0, 0, 0, 1);
        }
        moved.clear();
    }

    @Override
    public void events(EventWriter events) {
        for (int ball = 0; ball < balls; ball++) {
            if (touchesFloor(ball) && contacts.touch(ball, EventWriter.NO_SLOT)) {
                contacts.point(x[ball], 0, z[ball], 0, -1, 0, 0);
            }
        }
        contacts.report(NOBODY_SLEEPS, ContactPairs.Sleepers.TOUCH, events);
    }

    @Override
    public long hash() {
        long hash = StateHash.add(StateHash.start(), random);
        for (int ball = 0; ball < balls; ball++) {
            hash = StateHash.add(StateHash.add(StateHash.add(hash, x[ball]), y[ball]), z[ball]);
            hash = StateHash.add(StateHash.add(StateHash.add(hash, vx[ball]), vy[ball]), vz[ball]);
        }
        return StateHash.finish(hash);
    }

    @Override
    public void save(StateBuffer to) {
        to.put(random);
        for (int ball = 0; ball < balls; ball++) {
            to.put(x[ball]).put(y[ball]).put(z[ball]);
            to.put(vx[ball]).put(vy[ball]).put(vz[ball]);
        }
    }

    @Override
    public void restore(StateBuffer from) {
        random = from.getLong();
        for (int ball = 0; ball < balls; ball++) {
            x[ball] = from.getDouble();
            y[ball] = from.getDouble();
            z[ball] = from.getDouble();
            vx[ball] = from.getDouble();
            vy[ball] = from.getDouble();
            vz[ball] = from.getDouble();
        }
        moved.set(0, balls);
    }

    /** Returns the next number of SplitMix64. The whole state of this generator is one number, which can be hashed and saved. */
    private double nextRandom() {
        random += 0x9E3779B97F4A7C15L;
        return (StateHash.finish(random) >>> 11) * 0x1p-53;
    }
}
