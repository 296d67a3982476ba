package dev.escapement.bench.handoff;

import dev.escapement.state.snapshot.PoseBlocks;
import java.util.concurrent.locks.ReentrantLock;

/** A lock around one shared copy: the writer copies in, every reader copies out. */
public final class LockHandoff implements Handoff {

    private final ReentrantLock lock = new ReentrantLock();
    private final int bodies;
    private final PoseBlocks written;
    private final PoseBlocks shared;
    private long version;

    /** Room for so many bodies. */
    public LockHandoff(int bodies) {
        this.bodies = bodies;
        written = Poses.room(bodies);
        shared = Poses.room(bodies);
    }

    @Override
    public PoseBlocks begin() {
        return written;
    }

    @Override
    public boolean publish() {
        lock.lock();
        try {
            Poses.copy(written, shared);
            version++;
        } finally {
            lock.unlock();
        }
        return true;
    }

    @Override
    public Reader newReader() {
        PoseBlocks own = Poses.room(bodies);
        return new Reader() {
            private long seen;

            @Override
            public boolean acquire() {
                lock.lock();
                try {
                    if (version == seen) {
                        return false;
                    }
                    seen = version;
                    Poses.copy(shared, own);
                    return true;
                } finally {
                    lock.unlock();
                }
            }

            @Override
            public void stallWhile(Runnable stall) {
                lock.lock();
                try {
                    stall.run();
                } finally {
                    lock.unlock();
                }
            }

            @Override
            public PoseBlocks poses() {
                return own;
            }
        };
    }
}
