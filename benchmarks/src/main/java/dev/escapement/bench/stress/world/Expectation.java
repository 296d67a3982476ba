package dev.escapement.bench.stress.world;

import dev.escapement.state.snapshot.Snapshot;

/** A model, independent of the library, of what a snapshot has to say. Any thread may ask. */
@FunctionalInterface
public interface Expectation {

    /** Whether the snapshot says what its tick led to. */
    boolean holds(Snapshot snapshot);
}
