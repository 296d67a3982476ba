package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyCreationSettings;
import com.github.stephengold.joltjni.BodyIdVector;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.enumerate.EBodyType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.jctools.queues.varhandle.SpscChunkedVarHandleArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link JoltQueryWorld} has to know of bodies, on its way from the physics thread, which alone touches them, to the reader. Jolt's
 * creation settings of a body have all of it, and share its shape and its group's filter by counted references.
 *
 * <pre>{@code
 * feed.offer(body, id, tick, tick); // physics thread, in the capture that shows the body
 * KnownBody known = feed.peek();    // reader, when it holds the snapshot of that capture
 * feed.poll();                      // once it has kept the body
 * }</pre>
 *
 * <p>Assumptions:
 * <ol>
 * <li>One thread at a time offers, the physics thread; one at a time polls and closes, the reader.
 * <li>What is offered in a capture is offered before its snapshot is published.
 * </ol>
 *
 * <p>Guarantees:
 * <ol>
 * <li>A reader that holds a snapshot can poll all that was offered up to its capture, unless this {@link #isOverrun()}.
 * <li>After {@link #close()} everything that was offered is freed, exactly once, by one of both threads.
 * </ol>
 *
 * <p>Progress: both threads are wait-free, apart from the allocation of native memory.
 */
final class BodyFeed {

    /** The tick of what holds for all snapshots that a reader may still have. */
    static final long ALWAYS = Long.MIN_VALUE;

    private static final System.Logger LOG = System.getLogger("dev.escapement.physics");
    private static final int FIRST_CHUNK = 64;
    private static final int NAMED = 5;

    private static final int OPEN = 0;
    private static final int OFFERING = 1;
    private static final int CLOSED = 2;

    /** A body that readers see from a tick on; the reader chains it to the one that it replaces in its slot. */
    static final class KnownBody {

        final long id;
        final long fromTick;

        /** Jolt's id in the stepped system. */
        final int steppedId;

        final BodyCreationSettings settings;

        @Nullable
        KnownBody older;

        /** A tick that shows it. One that is known {@link #ALWAYS} may not have come yet in earlier ones. */
        private final long shownTick;

        /** The first tick that the reader has seen without it. */
        long goneTick = Long.MAX_VALUE;

        private KnownBody(Body body, long id, long fromTick, long shownTick) {
            this.id = id;
            this.fromTick = fromTick;
            this.shownTick = shownTick;
            steppedId = body.getId();
            settings = body.getBodyCreationSettings();
        }

        /**
         * Whether it is gone, if another body, or none, is in its slot at a tick. A body that is gone does not come back unless offered
         * again.
         */
        boolean isGone(long idThen, long tick) {
            if (id != idThen && shownTick <= tick) {
                goneTick = Math.min(goneTick, tick);
            }
            return goneTick < Long.MAX_VALUE;
        }

        /** Frees what was replaced up to a tick. */
        void forgetReplaced(long tick) {
            KnownBody body = this;
            while (body.fromTick > tick && body.older != null) {
                body = body.older;
            }
            if (body.older != null) {
                body.older.free();
                body.older = null;
            }
        }

        /** Frees this and all older ones. */
        void free() {
            for (KnownBody body = this; body != null; body = body.older) {
                body.settings.close();
            }
        }
    }

    private final int capacity;
    private final Queue<KnownBody> queue;

    // Each change is a compare-and-set or get-and-set, which orders the polls of one thread before those of the other:
    // who finds the other's change last frees what remains.
    private final AtomicInteger state = new AtomicInteger(OPEN);

    /** Volatile: written by the physics thread, read by the reader. */
    private volatile boolean overrun;

    /** Static bodies that are not attached, until the reader has taken them. Written before the reader gets this. */
    private final List<KnownBody> fixed = new ArrayList<>();

    /** Creates a feed in which at most {@code capacity} bodies wait. */
    BodyFeed(int capacity) {
        this.capacity = capacity;
        queue = new SpscChunkedVarHandleArrayQueue<>(FIRST_CHUNK, Math.max(2 * FIRST_CHUNK, capacity));
    }

    /** Collects the static bodies that are not attached, and names what moves and is not. Physics thread, before the first offer. */
    void collect(PhysicsSystem system, BodyInterface bodyInterface, AttachedBodies attached) {
        Set<Integer> shown = new HashSet<>();
        List<String> unseen = new ArrayList<>();
        for (int i = 0; i < attached.size(); i++) {
            shown.add(attached.id(i));
        }
        try (BodyIdVector ids = new BodyIdVector()) {
            system.getBodies(ids);
            for (int i = 0; i < ids.size(); i++) {
                boolean known =
                        shown.contains(ids.get(i)) && bodyInterface.getBodyType(ids.get(i)) == EBodyType.RigidBody;
                if (!known && bodyInterface.isAdded(ids.get(i))) { // what is known is not looked up, which is slow
                    Body body = BodyReads.body(system, ids.get(i));
                    if (body.isSoftBody() || !body.isStatic()) {
                        unseen.add(describe(body));
                    } else {
                        fixed.add(new KnownBody(body, 0, ALWAYS, ALWAYS));
                    }
                }
            }
        }
        if (!unseen.isEmpty()) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "queries will not hit " + unseen.size() + " bodies of " + system + ": "
                            + String.join(", ", unseen.subList(0, Math.min(NAMED, unseen.size())))
                            + (unseen.size() > NAMED ? ", ..." : "")
                            + "; attach bodies that move, so that their poses are known (soft bodies cannot be queried)");
        }
    }

    private static String describe(Body body) {
        RVec3 at = body.getPosition();
        return (body.isSoftBody() ? "soft" : body.isKinematic() ? "kinematic" : "dynamic") + " body "
                + Integer.toHexString(body.getId()) + " (layer " + body.getObjectLayer() + ", user data "
                + body.getUserData() + ") at " + at.x() + ", " + at.y() + ", " + at.z() + " m";
    }

    /**
     * Offers a body. Physics thread.
     *
     * @param fromTick  the first tick for which it holds, or {@link #ALWAYS}
     * @param shownTick a tick that shows it
     * @return false if nobody takes any more
     */
    boolean offer(Body body, long id, long fromTick, long shownTick) {
        if (body.isSoftBody()) {
            return true; // its shape changes in each tick
        }
        KnownBody known = new KnownBody(body, id, fromTick, shownTick);
        if (!state.compareAndSet(OPEN, OFFERING)) {
            known.free();
            return false;
        }
        boolean taken = false;
        try {
            taken = queue.offer(known); // throws if there is no memory for a chunk
            if (!taken) {
                overrun = true;
            }
        } finally {
            if (!taken) {
                known.free();
            }
            if (!state.compareAndSet(OFFERING, OPEN)) { // closed meanwhile, and left to this thread
                freeAll();
                taken = false;
            }
        }
        return taken;
    }

    /** The next body that was offered, null if there is none now. Reader. */
    @Nullable
    KnownBody peek() {
        return queue.peek();
    }

    /** Takes the body that {@link #peek} has returned, which the reader frees. */
    void poll() {
        queue.poll();
    }

    /** The static bodies that are not attached, of which the reader removes and frees those that it has taken. */
    List<KnownBody> fixed() {
        return fixed;
    }

    /** Whether more bodies came than fit, so that the reader lacks some. */
    boolean isOverrun() {
        return overrun;
    }

    /** How many bodies can wait. */
    int capacity() {
        return capacity;
    }

    /** Frees what waits. Reader, which does not poll any more. */
    void close() {
        fixed.forEach(KnownBody::free);
        fixed.clear();
        if (state.getAndSet(CLOSED) == OPEN) { // otherwise the physics thread is within offer, and will
            freeAll();
        }
    }

    private void freeAll() {
        for (KnownBody body = queue.poll(); body != null; body = queue.poll()) {
            body.free();
        }
    }
}
