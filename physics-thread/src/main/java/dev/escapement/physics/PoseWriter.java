package dev.escapement.physics;

import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.Snapshot;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Takes the poses of a tick from a {@link Simulation} and keeps what readers rely on: every value is finite, and every
 * rotation's sign is the one nearer to the tick before, so that readers need no shortest-path branch.
 *
 * <p>Physics thread only, valid during {@link Simulation#capture}.
 *
 * <pre>{@code
 * poses.bodyCount(2);
 * poses.set(0, 0f, 1f, 0f, 0f, 0f, 0f, 1f);
 * poses.set(1, 4f, 1f, 0f, 0f, 0f, 0f, 1f);
 * }</pre>
 */
public final class PoseWriter {

    private static final PoseBlocks NONE = new PoseBlocks(0);

    private PoseBlocks target = NONE;
    private PoseBlocks previous = NONE;
    // Written by the physics thread alone; atomic so that any thread may read it, nothing else is ordered by it.
    private final AtomicLong quarantinedPoses = new AtomicLong();

    PoseWriter() {}

    void begin(Snapshot snapshot, @Nullable Snapshot latest) {
        target = snapshot.poses();
        previous = latest == null ? NONE : latest.poses();
        target.resize(previous.bodyCount());
    }

    /** Takes the snapshot away: whoever keeps this writer beyond the capture must not write what readers see. */
    void end() {
        target = NONE;
        previous = NONE;
    }

    /**
     * Says how many bodies there are in this tick, by default as many as in the one before. Set them all: a body that is not
     * set has the pose of some earlier tick.
     *
     * @param bodies slots 0 to {@code bodies - 1} exist
     * @throws IllegalArgumentException if negative
     */
    public void bodyCount(int bodies) {
        target.resize(bodies);
    }

    /**
     * Writes one body's pose. A pose with a value that is not finite is replaced by the body's last good one and counted.
     *
     * @param body a slot, 0 to the body count - 1
     * @param x    position, metres
     * @param y    position, metres
     * @param z    position, metres
     * @param rx   rotation, unit quaternion x
     * @param ry   rotation, unit quaternion y
     * @param rz   rotation, unit quaternion z
     * @param rw   rotation, unit quaternion w
     * @throws IndexOutOfBoundsException if there is no such body
     */
    public void set(int body, float x, float y, float z, float rx, float ry, float rz, float rw) {
        if (body < 0 || body >= target.bodyCount()) {
            throw new IndexOutOfBoundsException(
                    "there is no body " + body + ": this tick has " + target.bodyCount() + " bodies");
        }
        PoseBlock block = target.blockOf(body);
        int index = body & PoseBlock.MASK;
        boolean known = body < previous.bodyCount();
        // Zero times a finite value is zero, times an infinity or a NaN it is NaN: one branch for seven values.
        if (0 * x + 0 * y + 0 * z + 0 * rx + 0 * ry + 0 * rz + 0 * rw != 0) {
            quarantine(block, index, known ? previous.blockOf(body) : null);
            return;
        }
        float sign = 1;
        if (known) {
            PoseBlock before = previous.blockOf(body);
            float dot = before.qx[index] * rx + before.qy[index] * ry + before.qz[index] * rz + before.qw[index] * rw;
            sign = dot < 0 ? -1 : 1;
        }
        block.set(index, x, y, z, sign * rx, sign * ry, sign * rz, sign * rw);
    }

    /**
     * How many poses were replaced because they were not finite, since the service started. Any thread may ask.
     *
     * @return poses
     */
    public long quarantinedPoses() {
        return quarantinedPoses.getOpaque();
    }

    private void quarantine(PoseBlock block, int index, @Nullable PoseBlock lastGood) {
        quarantinedPoses.setOpaque(quarantinedPoses.getPlain() + 1);
        if (lastGood == null) {
            block.set(index, 0, 0, 0, 0, 0, 0, 1);
        } else {
            block.copyFrom(lastGood, index, 1);
        }
    }
}
