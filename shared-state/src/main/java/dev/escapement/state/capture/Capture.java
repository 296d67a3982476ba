package dev.escapement.state.capture;

import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import org.jspecify.annotations.Nullable;

/**
 * Lets a source write one snapshot after the other, each of which follows the one before.
 *
 * <p>One thread, except the counters. Allocates nothing unless the world outgrows what was preallocated.
 */
public final class Capture {

    /** Where poses come from. */
    @FunctionalInterface
    public interface Source {

        /**
         * Writes the poses of a tick.
         *
         * @param poses where to, valid during this call
         * @throws Exception if there are none to write
         */
        void capture(PoseWriter poses) throws Exception;
    }

    private final Source source;
    private final Draft draft;
    private final PoseWriter poses;
    private boolean failed;

    /**
     * Creates a capture of an empty world.
     *
     * @param source             where poses come from
     * @param layout             what a pose consists of
     * @param rate               the rate of the ticks
     * @param preallocatedBodies how many bodies fit before anything is allocated
     */
    public Capture(Source source, PoseLayout layout, TickRate rate, int preallocatedBodies) {
        this.source = source;
        draft = new Draft(layout, rate.dtSeconds(), preallocatedBodies);
        poses = new PoseWriter(draft);
    }

    /**
     * Writes a snapshot.
     *
     * @param snapshot the snapshot, with its tick already set
     * @param latest   the snapshot of the tick before, null for the first
     * @throws IllegalStateException if an earlier capture threw: what it left half done cannot be continued
     * @throws Exception             what the source throws
     */
    public void write(Snapshot snapshot, @Nullable Snapshot latest) throws Exception {
        if (failed) {
            throw new IllegalStateException("tick " + snapshot.tick()
                    + " cannot be captured, because the capture of an earlier one failed half way");
        }
        failed = true;
        draft.begin(snapshot, latest);
        try {
            source.capture(poses);
            draft.removeUncounted();
            poses.requirePoses();
            draft.finish();
            failed = false;
        } finally {
            draft.release();
        }
    }

    /**
     * How many poses and channel values were replaced because they were not finite. Any thread may ask.
     *
     * @return replaced values since the start
     */
    public long quarantinedPoses() {
        return draft.quarantinedPoses.getOpaque();
    }

    /**
     * How many blocks of {@value dev.escapement.state.snapshot.PoseBlock#CAPACITY} bodies had to be added to snapshots
     * because the world outgrew what was preallocated. Each is an allocation. Any thread may ask.
     *
     * @return added blocks, over all snapshots
     */
    public long grownBlocks() {
        return draft.grownBlocks.getOpaque();
    }
}
