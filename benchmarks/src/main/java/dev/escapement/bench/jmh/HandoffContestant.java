package dev.escapement.bench.jmh;

import com.lmax.disruptor.InsufficientCapacityException;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.Sequence;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.Timeline;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jctools.queues.varhandle.SpscVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/** The ways to hand over poses: Escapement's, and what people use today, written once for every benchmark and command. */
public enum HandoffContestant {
    ESCAPEMENT(true),
    LOCK(true),
    SYNCHRONIZED(false),
    FRESH_SNAPSHOT(true),
    LINKED_QUEUE(true),
    JCTOOLS(false),
    DISRUPTOR(true);

    /** How many frames a bounded queue or ring has. */
    private static final int FRAMES = 8;

    /** Whether it can have more than one reader. */
    final boolean severalReaders;

    HandoffContestant(boolean severalReaders) {
        this.severalReaders = severalReaders;
    }

    /** A new one for so many bodies and readers. */
    public Handoff create(int bodies, int readers) {
        if (readers > 1 && !severalReaders) {
            throw new IllegalArgumentException(this + " is made for one reader, not for " + readers);
        }
        return switch (this) {
            case ESCAPEMENT -> new Exchange(bodies, readers);
            case LOCK -> new Locked(bodies);
            case SYNCHRONIZED -> new TripleBuffer(bodies);
            case FRESH_SNAPSHOT -> freshSnapshot(bodies);
            case LINKED_QUEUE -> linkedQueue(bodies);
            case JCTOOLS -> new JctoolsQueue(bodies);
            case DISRUPTOR -> new DisruptorRing(bodies);
        };
    }

    /** The production exchange with windows of three. */
    private static final class Exchange implements Handoff {

        private final Timeline timeline = new Timeline(TumblingBodies.RATE);
        private final SnapshotExchange exchange;
        private final SnapshotWriter writer;
        private final int bodies;
        private long tick;

        Exchange(int bodies, int readers) {
            this.bodies = bodies;
            timeline.start(0);
            exchange = new SnapshotExchange(3, readers, bodies, timeline.rate());
            writer = exchange.writer();
        }

        @Override
        public PoseBlocks begin() {
            Snapshot snapshot = writer.nextSnapshot();
            tick++;
            snapshot.startTick(tick, tick);
            PoseBlocks poses = snapshot.poses();
            if (poses.slotCount() != bodies) {
                snapshot.resize(bodies);
            }
            return poses;
        }

        @Override
        public boolean publish() {
            writer.publish(timeline, tick);
            return true;
        }

        @Override
        public Reader newReader() {
            SnapshotReader reader = exchange.attach();
            return () -> reader.acquire() ? reader.window().newest().poses() : null;
        }
    }

    /** A lock around one shared copy: the writer copies in, every reader copies out. */
    private static final class Locked implements Handoff {

        private final ReentrantLock lock = new ReentrantLock();
        private final PoseBlocks written;
        private final PoseBlocks shared;
        private long version;

        Locked(int bodies) {
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
            PoseBlocks own = Poses.room(shared.slotCount());
            return new Reader() {
                private long seen;

                @Override
                public @Nullable PoseBlocks acquire() {
                    lock.lock();
                    try {
                        if (version == seen) {
                            return null;
                        }
                        seen = version;
                        Poses.copy(shared, own);
                        return own;
                    } finally {
                        lock.unlock();
                    }
                }
            };
        }

        @Override
        public void stall(Reader reader, Runnable stall) {
            lock.lock();
            try {
                stall.run();
            } finally {
                lock.unlock();
            }
        }
    }

    /** The triple buffer of many game loops: three buffers, swapped by synchronized code. For one reader: several would share a buffer. */
    private static final class TripleBuffer implements Handoff {

        private PoseBlocks writing;
        private PoseBlocks ready;
        private PoseBlocks reading;
        private boolean fresh;

        TripleBuffer(int bodies) {
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
            return this::take;
        }

        private synchronized @Nullable PoseBlocks take() {
            if (!fresh) {
                return null;
            }
            PoseBlocks swap = reading;
            reading = ready;
            ready = swap;
            fresh = false;
            return reading;
        }

        @Override
        public synchronized void stall(Reader reader, Runnable stall) {
            stall.run();
        }
    }

    /** A writer that makes new poses for every tick; the garbage collector does the rest. */
    private abstract static class Fresh implements Handoff {

        private final int bodies;
        PoseBlocks writing;

        Fresh(int bodies) {
            this.bodies = bodies;
            writing = Poses.room(bodies);
        }

        @Override
        public final PoseBlocks begin() {
            writing = Poses.room(bodies);
            return writing;
        }
    }

    /** A new snapshot for every tick, in an atomic reference. */
    private static Handoff freshSnapshot(int bodies) {
        AtomicReference<@Nullable PoseBlocks> latest = new AtomicReference<>();
        return new Fresh(bodies) {
            @Override
            public boolean publish() {
                latest.set(writing);
                return true;
            }

            @Override
            public Reader newReader() {
                return new Reader() {
                    private @Nullable PoseBlocks held;

                    @Override
                    public @Nullable PoseBlocks acquire() {
                        PoseBlocks newest = latest.get();
                        if (newest == held) {
                            return null;
                        }
                        held = newest;
                        return newest;
                    }
                };
            }
        };
    }

    /** An unbounded queue of new snapshots for every reader, drained to the latest. */
    private static Handoff linkedQueue(int bodies) {
        CopyOnWriteArrayList<Queue<PoseBlocks>> queues = new CopyOnWriteArrayList<>();
        return new Fresh(bodies) {
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
                return () -> {
                    PoseBlocks latest = null;
                    PoseBlocks next;
                    while ((next = queue.poll()) != null) {
                        latest = next;
                    }
                    return latest;
                };
            }
        };
    }

    /**
     * A JCTools queue of frames to one reader, drained to the latest, and another one that brings the frames back. When the
     * reader does not keep up there is no frame left, and the newest tick is dropped.
     */
    private static final class JctoolsQueue implements Handoff {

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
            return new Reader() {
                private @Nullable PoseBlocks held;

                @Override
                public @Nullable PoseBlocks acquire() {
                    PoseBlocks latest = null;
                    PoseBlocks next;
                    while ((next = full.poll()) != null) {
                        if (held != null) {
                            empty.add(held);
                        }
                        held = next;
                        latest = next;
                    }
                    return latest;
                }
            };
        }
    }

    /**
     * A Disruptor whose slots are frames; a reader goes straight to the latest and keeps its slot by not moving its sequence
     * beyond it. When a reader does not keep up, the ring is full and the newest tick is dropped.
     */
    private static final class DisruptorRing implements Handoff {

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
                public @Nullable PoseBlocks acquire() {
                    long latest = ring.getCursor();
                    if (latest == held || latest < 0) {
                        return null;
                    }
                    held = latest;
                    consumed.set(latest - 1);
                    return ring.get(latest);
                }
            };
        }
    }
}
