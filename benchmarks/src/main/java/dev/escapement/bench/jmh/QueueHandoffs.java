package dev.escapement.bench.jmh;

import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import dev.escapement.state.snapshot.PoseBlocks;
import java.io.Reader;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jctools.queues.varhandle.SpscVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/** Handoffs by queues and rings of frames, of which a reader wants the latest. */
final class QueueHandoffs {

    private static final int FRAMES = 8;

    private QueueHandoffs() {}

    /** A reader that keeps what it took last. */
    abstract static class Keeping implements Handoff.Reader {

        @Nullable
        PoseBlocks held;

        @Override
        public PoseBlocks poses() {
            return Objects.requireNonNull(held);
        }
    }

    /** An unbounded queue of frames for every reader, drained to the latest. */
    static final class LinkedQueue implements Handoff {

        private final CopyOnWriteArrayList<Queue<PoseBlocks>> queues = new CopyOnWriteArrayList<>();
        private final int bodies;
        private PoseBlocks writing;

        LinkedQueue(int bodies) {
            this.bodies = bodies;
            writing = Poses.room(bodies);
        }

        @Override
        public PoseBlocks begin() {
            writing = Poses.room(bodies);
            return writing;
        }

        @Override
        public boolean publish() {
            for (int i = 0; i < queues.size(); i++) {
                queues.get(i).add(writing);
            }
            return true;
        }

        @Override
        public Reader newReader() {
            Queue<PoseBlocks> queue = new ConcurrentLinkedQueue<>();
            queues.add(queue);
            return new Keeping() {
                @Override
                public boolean acquire() {
                    boolean changed = false;
                    PoseBlocks next;
                    while ((next = queue.poll()) != null) {
                        held = next;
                        changed = true;
                    }
                    return changed;
                }
            };
        }
    }

    /**
     * A JCTools queue of frames to one reader, drained to the latest, and another one that brings the frames back. When the
     * reader does not keep up there is no frame left, and the newest tick is dropped.
     */
    static final class JctoolsQueue implements Handoff {

        private final Queue<PoseBlocks> full = new SpscVarHandleArrayQueue<>(FRAMES);
        private final Queue<PoseBlocks> empty = new SpscVarHandleArrayQueue<>(FRAMES);
        private final PoseBlocks dropped;
        private @Nullable PoseBlocks writing;

        JctoolsQueue(int bodies) {
            dropped = Poses.room(bodies);
            for (int i = 0; i < FRAMES; i++) {
                empty.add(Poses.room(bodies));
            }
        }

        @Override
        public PoseBlocks begin() {
            writing = empty.poll();
            return writing == null ? dropped : writing;
        }

        @Override
        public boolean publish() {
            return writing != null && full.offer(writing);
        }

        @Override
        public Reader newReader() {
            return new Keeping() {
                @Override
                public boolean acquire() {
                    boolean changed = false;
                    PoseBlocks next;
                    while ((next = full.poll()) != null) {
                        if (held != null) {
                            empty.add(held);
                        }
                        held = next;
                        changed = true;
                    }
                    return changed;
                }
            };
        }
    }

    /**
     * A Disruptor whose slots are frames; a reader goes straight to the latest and keeps its slot by not moving its sequence
     * beyond it. When a reader does not keep up, the ring is full and the newest tick is dropped.
     */
    static final class DisruptorRing implements Handoff {

        private static final long NONE = -1;

        private final RingBuffer<PoseBlocks> ring;
        private final PoseBlocks dropped;
        private long writing;

        DisruptorRing(int bodies) {
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
}
