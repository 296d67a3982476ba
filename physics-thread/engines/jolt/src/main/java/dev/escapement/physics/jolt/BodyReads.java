package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyIdVector;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.Jolt;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.Quat;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.enumerate.EBodyType;
import java.util.Arrays;

/**
 * Reads the attached bodies for a capture. Jolt lists the active bodies, which are in the system, in one call; only the others are checked
 * one by one. Only one thread may use it.
 */
final class BodyReads implements AutoCloseable {

    /** The mask of an id's place in the system. The bits above it count how often the place was used. */
    static final int PLACE = 0x7F_FFFF;

    static final boolean IS_DOUBLE = Jolt.isDoublePrecision();

    private final PhysicsSystem system;
    private final BodyInterface bodyInterface;
    private final AttachedBodies attached;
    private final BodyIdVector ids = new BodyIdVector();
    /**
     * Index: the place of a body in the system. The lower half is the id of the body that Jolt has listed there last, the upper half the
     * number of the {@link #read()} in which it did.
     */
    private long[] listed = new long[16];

    private int reads;

    BodyReads(PhysicsSystem system, BodyInterface bodyInterface, AttachedBodies attached) {
        this.system = system;
        this.bodyInterface = bodyInterface;
        this.attached = attached;
    }

    /**
     * Asks the system which of its bodies are active, for {@link #isActive}, and searches for an attached body that was removed.
     *
     * @return the index of a body that is not in the system any more, {@link AttachedBodies#NONE} if there is none
     */
    int read() {
        reads++;
        list(EBodyType.RigidBody);
        list(EBodyType.SoftBody);
        for (int index = 0; index < attached.size(); index++) {
            if (!isActive(index) && !bodyInterface.isAdded(attached.id(index))) {
                return index;
            }
        }
        return AttachedBodies.NONE;
    }

    private void list(EBodyType type) {
        system.getActiveBodies(type, ids);
        int size = ids.size();
        for (int i = 0; i < size; i++) {
            int id = ids.get(i);
            int place = id & PLACE;
            if (place >= listed.length) {
                listed = Arrays.copyOf(listed, Math.max(place + 1, 2 * listed.length));
            }
            listed[place] = entry(id);
        }
    }

    private long entry(int id) {
        return (long) reads << Integer.SIZE | Integer.toUnsignedLong(id);
    }

    boolean isActive(int index) {
        int id = attached.id(index);
        int place = id & PLACE;
        return place < listed.length && listed[place] == entry(id);
    }

    /**
     * Reads a pose. In the build with double positions, a body returns its position rounded to floats; the body interface does not round,
     * but takes longer.
     */
    static void readPose(Body body, BodyInterface bodyInterface, RVec3 position, Quat rotation) {
        if (IS_DOUBLE) {
            bodyInterface.getPositionAndRotation(body.getId(), position, rotation);
        } else {
            body.getPositionAndRotation(position, rotation);
        }
    }

    @Override
    public void close() {
        ids.close();
    }
}
