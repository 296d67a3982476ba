package dev.escapement.physics.world;

import dev.escapement.physics.replay.StateHash;
import java.util.List;

/**
 * The states of the attached bodies as raw bits. In a recorded tick the engine is asked once: the hash of the step and the states of
 * single bodies are of the same reading.
 *
 * <p>One thread at a time. Allocates only when there are more bodies than ever before.
 */
final class BodyStateBits<B> {

    final List<String> components;

    /** Of one body. */
    private final long[] single;

    /** Of all bodies, one after the other, as {@link #hash} has read them last. */
    private long[] all = {};

    /** Whether a step has ended and its capture has not begun: nothing that runs in between changes a body. */
    private boolean stepped;

    /** Whether {@link #all} is still what the step has led to. */
    private boolean known;

    BodyStateBits(List<String> components) {
        this.components = List.copyOf(components);
        single = new long[components.size()];
    }

    void stepped() {
        stepped = true;
        known = false;
    }

    /** From now on others may change bodies without a word. */
    void captured() {
        stepped = false;
        known = false;
    }

    /** Other bodies are attached, or they are elsewhere. */
    void changed() {
        known = false;
    }

    long hash(WorldSimulation<?, B> engine) {
        int bodies = engine.bodyCount();
        int count = bodies * single.length;
        if (all.length < count) {
            all = new long[Math.max(count, 2 * all.length)];
        }
        for (int body = 0; body < bodies; body++) {
            read(engine, engine.attached(body), all, body * single.length);
        }
        known = stepped;
        return StateHash.finish(StateHash.addAll(StateHash.start(), all, count));
    }

    void copy(WorldSimulation<?, B> engine, int body, long[] bits, int at) {
        if (known) {
            System.arraycopy(all, body * single.length, bits, at, single.length);
        } else {
            read(engine, engine.attached(body), bits, at);
        }
    }

    long poseHash(WorldSimulation<?, B> engine, B body) {
        return StateHash.addAll(StateHash.start(), single, engine.readPose(body, single, 0));
    }

    long stateHash(WorldSimulation<?, B> engine, B body) {
        read(engine, body, single, 0);
        return StateHash.addAll(StateHash.start(), single);
    }

    private void read(WorldSimulation<?, B> engine, B body, long[] bits, int at) {
        engine.readVelocities(body, bits, engine.readPose(body, bits, at));
    }
}
