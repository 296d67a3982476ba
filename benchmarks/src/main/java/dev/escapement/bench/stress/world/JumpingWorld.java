package dev.escapement.bench.stress.world;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;

/** Bodies that move a metre a tick, and every few ticks jump a long way instead, each at its own. */
public final class JumpingWorld implements Simulation, Expectation {

    private static final int JUMP_EVERY = 5;
    private static final int JUMP_METRES = 1_000;
    private static final int PLACES = 1 << 10;

    private final int bodies;
    private long tick;

    /** A world of so many bodies. */
    public JumpingWorld(int bodies) {
        this.bodies = bodies;
    }

    @Override
    public void step(Tick next) {
        tick = next.number();
    }

    @Override
    public void capture(PoseWriter poses) {
        poses.bodyCount(bodies);
        for (int body = 0; body < bodies; body++) {
            poses.set(body, place(tick, body), 0, 0, 0, 0, 0, 1);
            if (jumps(tick, body)) {
                poses.teleport(body);
            }
        }
    }

    @Override
    public boolean holds(Snapshot snapshot) {
        for (int body = 0; body < bodies; body++) {
            if (snapshot.poses().blockOf(body).px[body & PoseBlock.MASK] != place(snapshot.tick(), body)) {
                return false;
            }
        }
        return true;
    }

    /** How many there are. */
    public int bodies() {
        return bodies;
    }

    /** Whether a body may be seen there at a time between two ticks: on its way, but never on the way of a jump. */
    public boolean mayBeSeen(float x, long tickBefore, int body) {
        float from = place(tickBefore, body);
        float to = place(tickBefore + 1, body);
        return jumps(tickBefore + 1, body) ? x == from || x == to : x >= from && x <= to;
    }

    private static boolean jumps(long tick, int body) {
        return Math.floorMod(tick + body, JUMP_EVERY) == 0;
    }

    /** Forward by a metre a tick, by a thousand at a jump, and back to the start now and then, at a jump too. */
    private static float place(long tick, int body) {
        long jumps = Math.floorDiv(tick + body, JUMP_EVERY);
        return Math.floorMod(jumps, PLACES) * JUMP_METRES + Math.floorMod(tick + body, JUMP_EVERY);
    }
}
