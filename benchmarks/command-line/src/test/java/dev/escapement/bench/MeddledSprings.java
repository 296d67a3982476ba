package dev.escapement.bench;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.replay.BodyStates;
import dev.escapement.state.capture.PoseWriter;
import java.util.List;

/** Springs to which something happens after the step of one tick: no log knows why. */
public final class MeddledSprings implements Simulation, BodyStates {

    private final SpringSimulation springs;
    private final long meddledTick;
    private final Runnable meddling;

    /** Lets it happen once. */
    public MeddledSprings(SpringSimulation springs, long meddledTick, Runnable meddling) {
        this.springs = springs;
        this.meddledTick = meddledTick;
        this.meddling = meddling;
    }

    @Override
    public void step(Tick tick) {
        springs.step(tick);
        if (tick.number() == meddledTick) {
            meddling.run();
        }
    }

    @Override
    public void capture(PoseWriter poses) {
        springs.capture(poses);
    }

    @Override
    public long hash() {
        return springs.hash();
    }

    @Override
    public int bodyCount() {
        return springs.bodyCount();
    }

    @Override
    public List<String> stateComponents() {
        return springs.stateComponents();
    }

    @Override
    public void readState(int body, long[] bits, int at) {
        springs.readState(body, bits, at);
    }
}
