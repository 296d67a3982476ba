package dev.escapement.bench.stress;

import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.restore.StateHash;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.capture.PoseWriter;
import java.util.random.RandomGenerator;

/** A world of bodies that swing, spawn and despawn. It can be restored. */
class SwingWorld implements StressedWorld, Restorable {

    private static final int MAX_BODIES = 40;

    private final float[] places = new float[MAX_BODIES];
    private final float[] speeds = new float[MAX_BODIES];
    private int bodies = 10;

    @Override
    public void step(Tick tick) throws Exception {
        for (int body = 0; body < bodies; body++) {
            speeds[body] -= (places[body] - body) * 0.1f + tick.input().size() * 1e-6f;
            places[body] += speeds[body] * 0.01f;
        }
    }

    @Override
    public void stress(RandomGenerator random) {
        if (random.nextBoolean()) {
            bodies = random.nextInt(MAX_BODIES);
        } else {
            speeds[random.nextInt(MAX_BODIES)] = random.nextFloat();
        }
    }

    @Override
    public void capture(PoseWriter poses) {
        poses.bodyCount(bodies);
        for (int body = 0; body < bodies; body++) {
            poses.set(body, places[body], 0, 0, 0, 0, 0, 1);
        }
    }

    @Override
    public long hash() {
        long hash = StateHash.add(StateHash.start(), (long) bodies);
        for (int body = 0; body < MAX_BODIES; body++) {
            hash = StateHash.add(StateHash.add(hash, (double) places[body]), (double) speeds[body]);
        }
        return StateHash.finish(hash);
    }

    @Override
    public void save(StateBuffer to) {
        to.put((long) bodies);
        for (int body = 0; body < MAX_BODIES; body++) {
            to.put((double) places[body]).put((double) speeds[body]);
        }
    }

    @Override
    public void restore(StateBuffer from) {
        bodies = (int) from.getLong();
        for (int body = 0; body < MAX_BODIES; body++) {
            places[body] = (float) from.getDouble();
            speeds[body] = (float) from.getDouble();
        }
    }
}
