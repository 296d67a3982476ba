package dev.escapement.physics;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/** Remembers which simulations were used, without keeping them from being collected. Guarded by its user. */
final class UsedSimulations {

    private final List<WeakReference<Simulation>> used = new ArrayList<>();

    /** Adds one that was never used. */
    void add(Simulation simulation) {
        used.removeIf(before -> before.refersTo(null));
        for (WeakReference<Simulation> before : used) {
            if (before.refersTo(simulation)) {
                throw new IllegalArgumentException(
                        "a simulation that failed was closed, or hangs; make another one, for " + simulation
                                + " has been used before");
            }
        }
        used.add(new WeakReference<>(simulation));
    }

    /** Undoes the last {@link #add}. Allocates nothing: there may be no memory. */
    void forgetLast() {
        used.remove(used.size() - 1);
    }
}
