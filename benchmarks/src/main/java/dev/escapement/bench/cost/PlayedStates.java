package dev.escapement.bench.cost;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.replay.BodyStates;
import dev.escapement.physics.replay.StateHash;
import dev.escapement.state.capture.PoseWriter;
import java.util.List;

/** The state of another simulation's bodies as it was read last, in an array, so that to read it costs no engine's call. */
final class PlayedStates implements Simulation, BodyStates {

    private final BodyStates engine;
    private final int components;
    private final long[] words;

    PlayedStates(BodyStates engine) {
        this.engine = engine;
        components = engine.stateComponents().size();
        words = new long[components * engine.bodyCount()];
    }

    /** Takes over the engine's state now. */
    void load() {
        for (int body = 0; body < engine.bodyCount(); body++) {
            engine.readState(body, words, components * body);
        }
    }

    /** As Jolt's simulation hashes what it has read. */
    @Override
    public long hash() {
        return StateHash.finish(StateHash.addAll(StateHash.start(), words));
    }

    /** Not called: the engine's own simulation is stepped. */
    @Override
    public void step(Tick tick) {
        throw new UnsupportedOperationException();
    }

    /** Not called. */
    @Override
    public void capture(PoseWriter poses) {
        throw new UnsupportedOperationException();
    }

    @Override
    public int bodyCount() {
        return engine.bodyCount();
    }

    @Override
    public List<String> stateComponents() {
        return engine.stateComponents();
    }

    @Override
    public void readState(int body, long[] bits, int at) {
        System.arraycopy(words, components * body, bits, at, components);
    }
}
