package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyIdArray;
import dev.escapement.state.capture.PoseWriter;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Reads all bodies in four calls, with the {@code BatchBodyInterface} that the binding has since 3.7.0. It is called by reflection, because
 * this is compiled with an older version. One thread. Allocates when bodies were attached or detached.
 */
final class BatchReads implements BodyReads {

    private final AttachedBodies attached;
    private final MethodHandle areAdded;
    private final MethodHandle areActive;
    private final MethodHandle getPositions;
    private final MethodHandle getRotations;

    private @Nullable BodyIdArray ids;
    private long changes = -1;

    // Direct, for the binding. Replaced when there are more bodies than ever before.
    private ByteBuffer added = bytes(0);
    private ByteBuffer active = bytes(0);
    private DoubleBuffer positions = bytes(0).asDoubleBuffer();
    private FloatBuffer rotations = bytes(0).asFloatBuffer();

    private BatchReads(Object bodyInterface, AttachedBodies attached) throws ReflectiveOperationException {
        this.attached = attached;
        areAdded = call(bodyInterface, "areAdded", ByteBuffer.class);
        areActive = call(bodyInterface, "areActive", ByteBuffer.class);
        getPositions = call(bodyInterface, "getPositions", DoubleBuffer.class);
        getRotations = call(bodyInterface, "getRotations", FloatBuffer.class);
    }

    /** Reads through an interface of the binding, or null if that cannot read many bodies in one call. */
    static @Nullable BatchReads of(Object bodyInterface, AttachedBodies attached) {
        try {
            return new BatchReads(bodyInterface, attached);
        } catch (ReflectiveOperationException e) {
            return null;
        }
    }

    /** The method with an array of ids and a buffer. Newer versions take a read-only interface of that array. */
    private static MethodHandle call(Object bodyInterface, String name, Class<? extends Buffer> buffer)
            throws ReflectiveOperationException {
        for (Method method : bodyInterface.getClass().getMethods()) {
            Class<?>[] parameters = method.getParameterTypes();
            if (method.getName().equals(name)
                    && parameters.length == 2
                    && parameters[0].isAssignableFrom(BodyIdArray.class)
                    && parameters[1] == buffer) {
                return MethodHandles.publicLookup()
                        .unreflect(method)
                        .bindTo(bodyInterface)
                        .asType(MethodType.methodType(void.class, BodyIdArray.class, buffer));
            }
        }
        throw new NoSuchMethodException(name);
    }

    @Override
    public int read() {
        int size = attached.size();
        if (size == 0) {
            return AttachedBodies.NONE; // the binding has no empty arrays
        }
        BodyIdArray all = ids();
        try {
            areAdded.invokeExact(all, added);
            areActive.invokeExact(all, active);
            getPositions.invokeExact(all, positions);
            getRotations.invokeExact(all, rotations);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("Jolt's binding could not read its bodies", e);
        }
        for (int index = 0; index < size; index++) {
            if (added.get(index) == 0) {
                return index;
            }
        }
        return AttachedBodies.NONE;
    }

    private BodyIdArray ids() {
        BodyIdArray known = ids;
        if (known != null && changes == attached.changes()) {
            return known;
        }
        close();
        int size = attached.size();
        BodyIdArray changed = new BodyIdArray(size);
        for (int index = 0; index < size; index++) {
            changed.set(index, attached.id(index));
        }
        if (added.capacity() < size) {
            int capacity = Math.max(size, 2 * added.capacity());
            added = bytes(capacity);
            active = bytes(capacity);
            positions = bytes(3 * Double.BYTES * capacity).asDoubleBuffer();
            rotations = bytes(4 * Float.BYTES * capacity).asFloatBuffer();
        }
        added.limit(size);
        changes = attached.changes();
        ids = changed;
        return changed;
    }

    private static ByteBuffer bytes(int size) {
        return ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
    }

    @Override
    public boolean isActive(int index) {
        return active.get(index) != 0;
    }

    @Override
    public void writePose(Body body, int index, int slot, PoseWriter poses) {
        int p = 3 * index;
        int r = 4 * index;
        poses.setInWorld(
                slot,
                positions.get(p),
                positions.get(p + 1),
                positions.get(p + 2),
                rotations.get(r),
                rotations.get(r + 1),
                rotations.get(r + 2),
                rotations.get(r + 3));
    }

    @Override
    public void close() {
        if (ids != null) {
            ids.close();
            ids = null;
        }
    }
}
