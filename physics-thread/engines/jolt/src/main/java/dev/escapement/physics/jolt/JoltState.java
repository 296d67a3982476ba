package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Constraints;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.StateRecorderImpl;
import dev.escapement.physics.restore.RestoreRefusedException;

/** Jolt's own snapshot of a system: bodies, contacts, constraints, sleep. A class of its own, because old bindings lack these calls. */
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

    /** Refuses a state with another number of constraints, which Jolt would notice when it has restored the bodies. */
    static void requireConstraints(PhysicsSystem system, long then) {
        int now = constraints(system);
        if (now != then) {
            throw new RestoreRefusedException(system + " has " + now + " constraints, but had " + then
                    + " when the state was saved; disable constraints instead of removing them");
        }
    }

    /** Throws if the system has other bodies or constraints; then it may be restored in part. */
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
