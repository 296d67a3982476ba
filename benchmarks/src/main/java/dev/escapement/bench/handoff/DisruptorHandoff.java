package dev.escapement.bench.handoff;

import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import dev.escapement.state.snapshot.PoseBlocks;

/**
 * A Disruptor whose slots are frames; a reader goes straight to the latest and keeps its slot by not moving its sequence
 * beyond it. When a reader does not keep up, the ring is full and the newest tick is dropped.
 */
public final class DisruptorHandoff implements Handoff {

    private static final int FRAMES = 8;
    private static final long NONE = -1;

    private final RingBuffer<PoseBlocks> ring;
    private final PoseBlocks dropped;
    private long writing;

    /** Eight frames of so many bodies, and one for what is dropped. */
    public DisruptorHandoff(int bodies) {
        ring = RingBuffer.createSingleProducer(() -> Poses.room(bodies), FRAMES);
        dropped = Poses.room(bodies);
    }

    @Override
    public PoseBlocks begin() {
        try {
            writing = ring.tryNext();
            return ring.get(writing);
        } catch (InsufficientCapacityException full) {
            writing = NONE;
            return dropped;
        }
    }

    @Override
    public boolean publish() {
        if (writing == NONE) {
            return false;
        }
        ring.publish(writing);
        return true;
    }

    @Override
    public Reader newReader() {
        Sequence consumed = new Sequence(ring.getCursor());
        ring.addGatingSequences(consumed);
        return new Reader() {
            private long held = NONE;

            @Override
            public boolean acquire() {
                long latest = ring.getCursor();
                if (latest == held || latest < 0) {
                    return false;
                }
                held = latest;
                consumed.set(latest - 1);
                return true;
            }

            @Override
            public PoseBlocks poses() {
                return ring.get(held);
            }
        };
    }
}
