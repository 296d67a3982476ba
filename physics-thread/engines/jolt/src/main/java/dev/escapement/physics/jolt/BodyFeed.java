package dev.escapement.physics.jolt;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyCreationSettings;
import com.github.stephengold.joltjni.BodyIdVector;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.enumerate.EBodyType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Carries descriptions of bodies from the physics thread, which alone touches bodies, to the reader of a {@link JoltQueryWorld}. A
 * description is Jolt's creation settings of a body. They contain all that the reader needs, and share its shape and its group's filter by
 * counted references.
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
 * <li>The physics thread offers the bodies of a capture before the capture's snapshot is published.
 * </ol>
 *
 * <p>Guarantees:
 * <ol>
 * <li>A reader that holds a snapshot can poll all bodies that were offered up to its capture, unless the feed {@link #isOverrun()}.
 * <li>After {@link #close()} everything that was offered is freed, exactly once: by the thread that takes it from the queue.
 * </ol>
 *
 * <p>Progress: both threads are lock-free, apart from the allocation of native memory.
 */
final class BodyFeed {

    /** Stands in {@code fromTick} for the first tick of a body that is in every snapshot that a reader may still hold. */
    static final long ALWAYS = Long.MIN_VALUE;

    private static final System.Logger LOG = System.getLogger("dev.escapement.physics");

    /** A body that readers see from a tick on. The reader links it to the older body that had the same slot before. */
    static final class KnownBody {

        final long id;
        final long fromTick;

        /** Jolt's id of the body in the system that is stepped. */
        final int steppedId;

        final BodyCreationSettings settings;

        @Nullable
        KnownBody older;

        /** A tick in which readers see the body. A body that is valid {@link #ALWAYS} may not exist yet in earlier ticks. */
        private final long shownTick;

        long goneTick = Long.MAX_VALUE;

        private KnownBody(Body body, long id, long fromTick, long shownTick) {
            this.id = id;
            this.fromTick = fromTick;
            this.shownTick = shownTick;
            steppedId = body.getId();
            settings = body.getBodyCreationSettings();
        }

        /**
         * Returns whether the body is gone, given the id that its slot has at a tick. A body that is gone comes back only if it is offered
         * again.
         */
        boolean isGone(long idThen, long tick) {
            if (id != idThen && shownTick <= tick) {
                goneTick = Math.min(goneTick, tick);
            }
            return goneTick < Long.MAX_VALUE;
        }

        /** Frees the older bodies that no tick from {@code tick} on shows. */
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

        void free() {
            for (KnownBody body = this; body != null; body = body.older) {
                body.settings.close();
            }
        }
    }

    private final int capacity;
    private final Queue<KnownBody> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();

    // Volatile: the reader writes it before it empties the queue, and the physics thread reads it after it has added to
    // the queue. So at least one of them sees, and frees, the body that was added last.
    private volatile boolean closed;

    /** Volatile: written by the physics thread, read by the reader. */
    private volatile boolean overrun;

    /** Static bodies that are not attached, until the reader has taken them. Written before the reader gets this feed. */
    private final List<KnownBody> fixed = new ArrayList<>();

    BodyFeed(int capacity) {
        this.capacity = capacity;
    }

    /**
     * Collects the static bodies that are not attached. Logs the number of other bodies that queries cannot hit. Called by the physics
     * thread, before the first offer.
     */
    void collect(PhysicsSystem system, BodyInterface bodyInterface, AttachedBodies attached) {
        Set<Integer> shown = new HashSet<>();
        int unseen = 0;
        for (int i = 0; i < attached.size(); i++) {
            shown.add(attached.id(i));
        }
        try (BodyIdVector ids = new BodyIdVector()) {
            system.getBodies(ids);
            for (int i = 0; i < ids.size(); i++) {
                boolean known =
                        shown.contains(ids.get(i)) && bodyInterface.getBodyType(ids.get(i)) == EBodyType.RigidBody;
                if (!known && bodyInterface.isAdded(ids.get(i))) { // skips the slow look-up for attached bodies
                    Body body = JoltCalls.body(system, ids.get(i));
                    if (body.isSoftBody() || !body.isStatic()) {
                        unseen++;
                    } else {
                        fixed.add(new KnownBody(body, 0, ALWAYS, ALWAYS));
                    }
                }
            }
        }
        if (unseen > 0) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "Queries will not hit " + unseen + " bodies of " + system
                            + ". Attach bodies that move, so that their poses are known (soft bodies cannot be queried).");
        }
    }

    /**
     * Offers a body. Called by the physics thread.
     *
     * @param fromTick  the first tick for which the description holds, or {@link #ALWAYS}
     * @param shownTick a tick that shows the body
     * @return false if the feed takes no more bodies, because the reader has closed it, or because too many bodies wait
     */
    boolean offer(Body body, long id, long fromTick, long shownTick) {
        if (body.isSoftBody()) {
            return true; // the shape of a soft body changes in each tick
        }
        if (closed) {
            return false;
        }
        if (waiting.get() == capacity) {
            overrun = true;
            return false;
        }
        waiting.incrementAndGet();
        queue.add(new KnownBody(body, id, fromTick, shownTick));
        if (closed) {
            freeAll();
            return false;
        }
        return true;
    }

    /** Returns the next body that was offered, null if there is none now. Called by the reader. */
    @Nullable
    KnownBody peek() {
        return queue.peek();
    }

    /** Removes the body that {@link #peek} has returned; the reader frees it. Called by the reader. */
    void poll() {
        queue.poll();
        waiting.decrementAndGet();
    }

    /** The static bodies that are not attached. The reader removes and frees each body that it has taken. */
    List<KnownBody> fixed() {
        return fixed;
    }

    /** Returns whether more bodies were offered than fit, so that the reader lacks some of them. */
    boolean isOverrun() {
        return overrun;
    }

    int capacity() {
        return capacity;
    }

    /** Frees the waiting bodies. Called by the reader, which does not poll any more. */
    void close() {
        fixed.forEach(KnownBody::free);
        fixed.clear();
        closed = true;
        freeAll();
    }

    private void freeAll() {
        for (KnownBody body = queue.poll(); body != null; body = queue.poll()) {
            body.free();
        }
    }
}
