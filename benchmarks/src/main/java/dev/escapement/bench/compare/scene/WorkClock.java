package dev.escapement.bench.compare.scene;

import dev.escapement.state.time.NanoClock;

/** A clock, and a way to let time pass on it: by working so long on a real one, by moving one that is not. */
public interface WorkClock extends NanoClock {

    /** Returns when so much time has passed. */
    void spend(long nanos);
}
