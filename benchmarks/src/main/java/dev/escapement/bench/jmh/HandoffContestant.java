package dev.escapement.bench.jmh;

import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import java.io.Reader;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
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

    private final boolean severalReaders;

    HandoffContestant(boolean severalReaders) {
        this.severalReaders = severalReaders;
    }

    /** Whether it can have more than one reader. */
    public boolean hasSeveralReaders() {
        return severalReaders;
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
            case FRESH_SNAPSHOT -> new FreshSnapshot(bodies);
            case LINKED_QUEUE -> new QueueHandoffs.LinkedQueue(bodies);
            case JCTOOLS -> new QueueHandoffs.JctoolsQueue(bodies);
            case DISRUPTOR -> new QueueHandoffs.DisruptorRing(bodies);
        };
    }

    /** The production exchange with windows of three. */
    private static final class Exchange implements Handoff {

        private static final int WINDOW_SIZE = 3;

        private final Timeline timeline = new Timeline(TickRate.hertz(100));
        private final SnapshotExchange exchange;
        private final SnapshotWriter writer;
        private final int bodies;
        private long tick;

        Exchange(int bodies, int readers) {
            this.bodies = bodies;
            timeline.start(0);
            exchange = new SnapshotExchange(WINDOW_SIZE, readers, bodies, timeline.rate());
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
            return new Reader() {
                @Override
                public boolean acquire() {
                    return reader.acquire();
                }

                @Override
                public PoseBlocks poses() {
                    return reader.window().newest().poses();
                }
            };
        }
    }

    /** A lock around one shared copy: the writer copies in, every reader copies out. */
    private static final class Locked implements Handoff {

        private final ReentrantLock lock = new ReentrantLock();
        private final int bodies;
        private final PoseBlocks written;
        private final PoseBlocks shared;
        private long version;

        Locked(int bodies) {
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

    /**
     * The triple buffer of many game loops: three buffers, swapped in synchronized methods. For one reader; more readers read
     * the same buffer, which is only right when all have finished with it, so this one refuses them.
     */
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
            return new Reader() {
                @Override
                public boolean acquire() {
                    return take();
                }

                @Override
                public void stallWhile(Runnable stall) {
                    holdWhile(stall);
                }

                @Override
                public PoseBlocks poses() {
                    return reading;
                }
            };
        }

        private synchronized void holdWhile(Runnable stall) {
            stall.run();
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

    /** A new snapshot for every tick, in an atomic reference; the garbage collector does the rest. */
    private static final class FreshSnapshot implements Handoff {

        private final AtomicReference<@Nullable PoseBlocks> latest = new AtomicReference<>();
        private final int bodies;
        private PoseBlocks writing;

        FreshSnapshot(int bodies) {
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
            latest.set(writing);
            return true;
        }

        @Override
        public Reader newReader() {
            return new QueueHandoffs.Keeping() {
                @Override
                public boolean acquire() {
                    PoseBlocks newest = latest.get();
                    boolean changed = newest != held;
                    held = newest;
                    return changed;
                }
            };
        }
    }
}
