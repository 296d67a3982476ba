package dev.escapement.physics.replay;

import dev.escapement.physics.Divergence;
import java.util.Arrays;
import java.util.List;

/** A copy of the state of all bodies, bit by bit. One thread; allocates when there are more bodies than before. */
final class AllBodies {

    private final BodyStates states;
    private final List<String> components;
    private long[] bits = {};
    private int bodies;

    AllBodies(BodyStates states) {
        this.states = states;
        components = states.stateComponents();
    }

    void read() {
        bodies = states.bodyCount();
        if (bits.length < bodies * components.size()) {
            bits = new long[2 * bodies * components.size()];
        }
        states.readStates(0, bodies, bits);
    }

    int firstDifferentBody(AllBodies other) {
        int both = Math.min(bodies, other.bodies);
        int at = mismatch(0, both, other);
        if (at >= 0) {
            return at / components.size();
        }
        return bodies == other.bodies ? Divergence.UNKNOWN : both;
    }

    /** The first component of a body that differs. Empty if only one of the copies has the body. */
    String firstDifferentComponent(int body, AllBodies other) {
        boolean both = body >= 0 && body < Math.min(bodies, other.bodies);
        return both ? components.get(mismatch(body, body + 1, other)) : "";
    }

    private int mismatch(int fromBody, int toBody, AllBodies other) {
        int from = fromBody * components.size();
        int to = toBody * components.size();
        return Arrays.mismatch(bits, from, to, other.bits, from, to);
    }
}
