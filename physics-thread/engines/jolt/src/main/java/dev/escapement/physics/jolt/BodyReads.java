package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import dev.escapement.state.capture.PoseWriter;

/** How a capture reads the attached bodies: with as few native calls as the binding's version allows. */
interface BodyReads extends AutoCloseable {

    /**
     * Reads all attached bodies from the system. The other methods return what this has read.
     *
     * @return the index of a body that is not in the system any more, {@link AttachedBodies#NONE} if there is none
     */
    int read();

    boolean isActive(int index);

    void writePose(Body body, int index, int slot, PoseWriter poses);

    /** Frees native memory. */
    @Override
    void close();
}
