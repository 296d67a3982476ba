package dev.escapement.physics;

import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.event.EventWriter;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A world of crates, marked with a number that no other has, that throws or hangs after some ticks, wherever it is asked. */
final class UnreliableCrates implements Simulation {

    /** What the worlds of one test have in common. */
    record Shared(
            AtomicLong marks,
            Set<Thread> hanging,
            Semaphore comingBack,
            ThreadLocal<@Nullable UnreliableCrates> worldOfThread) {

        Shared() {
            this(new AtomicLong(), ConcurrentHashMap.newKeySet(), new Semaphore(0), new ThreadLocal<>());
        }

        /** Hangs until somebody lets it come back. */
        boolean hang() throws InterruptedException {
            hanging.add(Thread.currentThread());
            comingBack.acquire();
            return hanging.remove(Thread.currentThread());
        }

        void letOneComeBack() {
            if (comingBack.hasQueuedThreads()) {
                comingBack.release();
            }
        }

        void letAllComeBack() {
            comingBack.release(Integer.MAX_VALUE / 2);
        }

        /** What a spawn command does, in the world of the physics thread it runs on. */
        boolean add(long id) {
            UnreliableCrates world = worldOfThread.get();
            if (world == null || world.crates.heights.size() >= MOST_CRATES) {
                throw new IllegalStateException("there is no room for another crate");
            }
            return world.crates.add(id, 1);
        }
    }

    private static final int MOST_CRATES = 20;

    private final Crates crates = new Crates();
    private final Shared shared;
    private final long mark;
    private final int callsBeforeTheEnd;
    private final boolean hangs;
    private int calls;
    private long marked;

    UnreliableCrates(RandomGenerator random, Shared shared) {
        this.shared = shared;
        mark = shared.marks.incrementAndGet();
        callsBeforeTheEnd = random.nextInt(60);
        hangs = random.nextInt(3) == 0;
    }

    @Override
    public void step(Tick tick) throws Exception {
        shared.worldOfThread.set(this);
        mayEnd();
    }

    @Override
    public void capture(PoseWriter poses) throws Exception {
        if (marked == 0) {
            marked = poses.spawn(-mark);
        }
        poses.set(poses.slotOf(marked), (float) mark, 0, 0, 0, 0, 0, 1);
        crates.capture(poses);
        mayEnd();
    }

    @Override
    public void events(EventWriter events) throws Exception {
        mayEnd();
    }

    /** Which world a snapshot shows, told by the one body with a negative number and by where it is. */
    static long mark(Snapshot snapshot) {
        Bodies bodies = snapshot.bodies();
        for (int slot = 0; slot < bodies.slotCount(); slot++) {
            if (bodies.exists(slot) && bodies.userData(slot) < 0) {
                long mark = -bodies.userData(slot);
                PoseBlock block = snapshot.poses().block(slot >> PoseBlock.SHIFT);
                float x = block.px[slot & (PoseBlock.CAPACITY - 1)];
                if (x != mark) {
                    throw new AssertionError("world " + mark + " shows a body of world " + x);
                }
                return mark;
            }
        }
        throw new AssertionError(snapshot + " shows no world");
    }

    private void mayEnd() throws Exception {
        if (++calls > callsBeforeTheEnd) {
            if (!hangs) {
                throw new IllegalStateException("world " + mark + " ends");
            }
            shared.hang();
        }
    }
}
