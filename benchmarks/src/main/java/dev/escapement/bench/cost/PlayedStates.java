package dev.escapement.bench.cost;

import dev.escapement.physics.StateHash;
import dev.escapement.physics.replay.BodyStates;
import java.util.List;

/** The state of another simulation's bodies as it was read last, in an array, so that to read it costs no engine's call. */
final class PlayedStates implements BodyStates {

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
    long hash() {
        return StateHash.finish(StateHash.addAll(StateHash.start(), words));
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
