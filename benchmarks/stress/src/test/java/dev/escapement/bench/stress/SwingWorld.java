package dev.escapement.bench.stress;

import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.restore.StateHash;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import java.util.random.RandomGenerator;

/** A world of bodies that swing, spawn and despawn. Its state can be saved and restored. */
class SwingWorld implements StressedWorld, Restorable {

    private static final int MAX_BODIES = 40;

    private final float[] state = new float[2 * MAX_BODIES];

    private int bodies = 10;

    @Override
    public void step(Tick tick) throws Exception {
        for (int body = 0; body < bodies; body++) {
            state[2 * body + 1] -=
                    (state[2 * body] - body) * 0.1f + tick.input().size() * 1e-6f;
            state[2 * body] += state[2 * body + 1] * 0.01f;
        }
    }

    @Override
    public void stress(RandomGenerator random) {
        if (random.nextBoolean()) {
            bodies = random.nextInt(MAX_BODIES);
        } else {
            state[2 * random.nextInt(MAX_BODIES) + 1] = random.nextFloat();
        }
    }

    @Override
    public void capture(PoseWriter poses) {
        poses.bodyCount(bodies);
        for (int body = 0; body < bodies; body++) {
            poses.set(body, state[2 * body], 0, 0, 0, 0, 0, 1);
        }
    }

    @Override
    public long hash() {
        long hash = StateHash.add(StateHash.start(), (long) bodies);
        for (float value : state) {
            hash = StateHash.add(hash, (double) value);
        }
        return StateHash.finish(hash);
    }

    @Override
    public void save(StateBuffer to) {
        to.put((long) bodies);
        for (float value : state) {
            to.put((double) value);
        }
    }

    @Override
    public void restore(StateBuffer from) {
        bodies = (int) from.getLong();
        for (int i = 0; i < state.length; i++) {
            state[i] = (float) from.getDouble();
        }
    }
}
