package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.BodyIdArray;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.JoltPhysicsObject;
import com.github.stephengold.joltjni.Quat;
import com.github.stephengold.joltjni.RVec3;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import org.jspecify.annotations.NullMarked;

/**
 * Stands in for the {@code BatchBodyInterface} of jolt-jni 3.7.0: the same methods, by the single calls of this version. It is a public
 * class, as that is, because it is called by reflection.
 */
@NullMarked
public final class BatchInterface {

    private final BodyInterface single;
    // Reused, because what is tested must not allocate.
    private final RVec3 position = new RVec3();
    private final Quat rotation = new Quat();
    private int size;
    int calls;

    BatchInterface(BodyInterface single) {
        this.single = single;
    }

    /** The arrays of this version do not have their length, but the caller limits this buffer to it. */
    public void areAdded(BodyIdArray ids, ByteBuffer status) {
        calls++;
        size = status.limit();
        for (int i = 0; i < size; i++) {
            status.put(i, (byte) (single.isAdded(ids.get(i)) ? 1 : 0));
        }
    }

    public void areActive(BodyIdArray ids, ByteBuffer status) {
        calls++;
        for (int i = 0; i < size; i++) {
            status.put(i, (byte) (single.isActive(ids.get(i)) ? 1 : 0));
        }
    }

    public void getPositions(BodyIdArray ids, DoubleBuffer positions) {
        calls++;
        for (int i = 0; i < size; i++) {
            single.getPositionAndRotation(ids.get(i), position, rotation);
            positions.put(3 * i, position.xx());
            positions.put(3 * i + 1, position.yy());
            positions.put(3 * i + 2, position.zz());
        }
    }

    /** Takes a more general array, as those of newer versions do. */
    public void getRotations(JoltPhysicsObject array, FloatBuffer rotations) {
        calls++;
        BodyIdArray ids = (BodyIdArray) array;
        for (int i = 0; i < size; i++) {
            single.getPositionAndRotation(ids.get(i), position, rotation);
            rotations.put(4 * i, rotation.getX());
            rotations.put(4 * i + 1, rotation.getY());
            rotations.put(4 * i + 2, rotation.getZ());
            rotations.put(4 * i + 3, rotation.getW());
        }
    }
}
