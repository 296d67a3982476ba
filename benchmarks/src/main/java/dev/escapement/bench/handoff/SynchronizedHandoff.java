package dev.escapement.bench.handoff;

import dev.escapement.state.snapshot.PoseBlocks;

/**
 * The triple buffer of many game loops: three buffers, swapped in synchronized methods. For one reader; more readers read
 * the same buffer, which is only right when all have finished with it, so this one refuses them.
 */
public final class SynchronizedHandoff implements Handoff {

    private PoseBlocks writing;
    private PoseBlocks ready;
    private PoseBlocks reading;
    private boolean fresh;

    /** Room for so many bodies. */
    public SynchronizedHandoff(int bodies) {
        writing = Poses.room(bodies);
        ready = Poses.room(bodies);
        reading = Poses.room(bodies);
    }

    @Override
    public PoseBlocks begin() {
        return writing;
    }

    @Override
    public synchronized boolean publish() {
        PoseBlocks swap = ready;
        ready = writing;
        writing = swap;
        fresh = true;
        return true;
    }

    @Override
    public Reader newReader() {
        return new Reader() {
            @Override
            public boolean acquire() {
                return take();
            }

            @Override
            public void stallWhile(Runnable stall) {
                swapWhile(stall);
            }

            @Override
            public PoseBlocks poses() {
                return reading;
            }
        };
    }

    private synchronized void swapWhile(Runnable suspended) {
        suspended.run();
    }

    private synchronized boolean take() {
        if (!fresh) {
            return false;
        }
        PoseBlocks swap = reading;
        reading = ready;
        ready = swap;
        fresh = false;
        return true;
    }
}
