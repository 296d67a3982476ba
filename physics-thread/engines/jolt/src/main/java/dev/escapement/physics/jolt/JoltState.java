package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Constraints;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.StateRecorderImpl;
import dev.escapement.physics.restore.RestoreRefusedException;

/** Jolt's own snapshot of a system: bodies, contacts, constraints, sleep. */
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

    /** Refuses a state with more bodies or other constraints. Jolt itself would notice these only after it has restored a part. */
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

    /** Restores a state. Throws if the system has other bodies or constraints; then it may be restored in part. */
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
