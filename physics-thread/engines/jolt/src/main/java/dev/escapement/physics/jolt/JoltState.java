package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.StateRecorderImpl;

/** Jolt's own snapshot of a system: bodies, contacts, constraints, sleep. A class of its own, because old bindings lack these calls. */
final class JoltState {

    private JoltState() {}

    static byte[] save(PhysicsSystem system) {
        try (StateRecorderImpl recorder = new StateRecorderImpl()) {
            system.saveState(recorder);
            return recorder.getData();
        }
    }

    /** False if the system has other bodies or constraints; then it may be restored in part. */
    static boolean restore(PhysicsSystem system, byte[] state) {
        try (StateRecorderImpl recorder = new StateRecorderImpl()) {
            recorder.writeBytes(state);
            return system.restoreState(recorder);
        }
    }
}
