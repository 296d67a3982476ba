package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Constraints;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.StateRecorderImpl;
import dev.escapement.physics.restore.RestoreRefusedException;

/** Saves and restores Jolt's own state of a system: bodies, contacts, constraints, and which bodies sleep. */
final class JoltState {

    private JoltState() {}

    static byte[] save(PhysicsSystem system) {
        try (StateRecorderImpl recorder = new StateRecorderImpl()) {
            system.saveState(recorder);
            return recorder.getData();
        }
    }

    static int constraints(PhysicsSystem system) {
        try (Constraints copy = system.getConstraints()) {
            return copy.size();
        }
    }

    /**
     * Throws if the system has fewer bodies than the saved state, or more or fewer constraints. Jolt itself would notice that only after it
     * has restored a part of the state.
     */
    static void require(PhysicsSystem system, long bodiesThen, long constraintsThen) {
        int bodies = system.getNumBodies();
        if (bodies < bodiesThen) {
            throw new RestoreRefusedException(system + " has " + bodies + " bodies, but had " + bodiesThen
                    + " when the state was saved; add those again that are not attached");
        }
        int constraints = constraints(system);
        if (constraints != constraintsThen) {
            throw new RestoreRefusedException(system + " has " + constraints + " constraints, but had "
                    + constraintsThen + " when the state was saved; disable constraints instead of removing them");
        }
    }

    /** Restores a state. Throws if the system has other bodies or constraints than the state; then a part of it may be restored. */
    static void restore(PhysicsSystem system, byte[] state) {
        try (StateRecorderImpl recorder = new StateRecorderImpl()) {
            recorder.writeBytes(state);
            if (!system.restoreState(recorder)) {
                throw new IllegalStateException("Jolt cannot restore " + state.length + " bytes to " + system
                        + ": it has other bodies or constraints than when they were saved");
            }
        }
    }
}
