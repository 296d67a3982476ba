package dev.escapement.physics.query;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Carries descriptions of bodies from the physics thread, which alone touches bodies, to the asking thread of a {@link QueryWorld}. The
 * physics thread pays for a body when it comes or is reshaped, and nothing per tick.
 *
 * <pre>{@code
 * feed.offer(body, id, userData, tick, tick); // physics thread, in the capture that shows the body
 * KnownBody<D> known = feed.peek();           // asking thread, when it holds the snapshot of that capture
 * feed.poll();                                // once it has kept the body
 * }</pre>
 *
 * <p>Assumptions:
 * <ol>
 * <li>One thread at a time offers, the physics thread; one at a time polls and closes, the asking thread.
 * <li>The physics thread offers the bodies of a capture before the capture's snapshot is published.
 * </ol>
 *
 * <p>Guarantees:
 * <ol>
 * <li>A thread that holds a snapshot can poll all bodies that were offered up to its capture, unless the feed {@link #isOverrun()}.
 * <li>After {@link #close()} everything that was offered is freed, exactly once: by the thread that takes it from the queue.
 * </ol>
 *
 * <p>Progress: both threads are lock-free, apart from the allocation of native memory.
 *
 * @param <B> the engine's bodies
 * @param <D> the descriptions
 */
public final class QueryFeed<B, D> {

    /** The first tick of a body that is in every snapshot that a reader may still hold. */
    public static final long ALWAYS = Long.MIN_VALUE;

    /** The maximum of bodies that wait for the asking thread. */
    static final int CAPACITY = 1 << 16;

    /**
     * A body that readers see from a tick on. The asking thread links it to the older body that had the same slot before.
     *
     * @param <D> the description
     */
    static final class KnownBody<D> {

        final long id;
        final long userData;
        final D description;
        final Object key;
        private final long fromTick;

        /** A tick in which readers see the body. A body that is valid {@link #ALWAYS} may not exist yet in earlier ticks. */
        private final long shownTick;

        @Nullable
        KnownBody<D> older;

        private long goneTick = Long.MAX_VALUE;

        KnownBody(Object key, D description, long id, long userData, long fromTick, long shownTick) {
            this.key = key;
            this.description = description;
            this.id = id;
            this.userData = userData;
            this.fromTick = fromTick;
            this.shownTick = shownTick;
        }

        /** Returns whether the body is the newest of its slot that any later tick shows, unless the slot's id changes. */
        boolean isSettled(long tick) {
            return older == null && fromTick <= tick && goneTick == Long.MAX_VALUE;
        }

        boolean shows(long idThen, long tick) {
            return id == idThen && fromTick <= tick;
        }

        /**
         * Returns whether no tick from {@code oldestTick} on shows the body, given the id that its slot has at a tick. A body that is gone
         * comes back only if it is offered again.
         */
        boolean isGone(long idThen, long tick, long oldestTick) {
            if (id != idThen && shownTick <= tick) {
                goneTick = Math.min(goneTick, tick);
            }
            return goneTick <= oldestTick;
        }

        /** Frees the older bodies that no tick from {@code tick} on shows. */
        void forgetReplaced(long tick, QueryEngine<D, ?> engine) {
            KnownBody<D> body = this;
            while (body.fromTick > tick && body.older != null) {
                body = body.older;
            }
            if (body.older != null) {
                body.older.free(engine);
                body.older = null;
            }
        }

        void free(QueryEngine<D, ?> engine) {
            for (KnownBody<D> body = this; body != null; body = body.older) {
                engine.free(body.description);
            }
        }
    }

    private final QueryBodies<B, D> bodies;
    private final int capacity;
    private final double[] zero;
    private final QueryEngine<D, ?> engine;
    private final Queue<KnownBody<D>> queue = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();

    /** Static bodies that are not attached, until the asking thread has taken them. Written before that thread gets this feed. */
    private final List<KnownBody<D>> fixed = new ArrayList<>();

    // Volatile: the asking thread writes it before it empties the queue, and the physics thread reads it after it has
    // added to the queue. So at least one of them sees, and frees, the body that was added last.
    private volatile boolean closed;

    /** Volatile: the physics thread stores it, and the asking thread reads it; else the latter could go on without a body for ever. */
    private volatile boolean overrun;

    /**
     * Creates a feed, with the static bodies that are not attached. Logs the number of other bodies that queries cannot hit.
     *
     * @param bodies   the bodies of the world
     * @param attached whether a body is attached
     * @param zero     x, y and z of the engine's own zero in the world
     */
    public QueryFeed(QueryBodies<B, D> bodies, Predicate<B> attached, double[] zero) {
        this(bodies, attached, zero, CAPACITY);
    }

    QueryFeed(QueryBodies<B, D> bodies, Predicate<B> attached, double[] zero, int capacity) {
        this.bodies = bodies;
        this.zero = zero.clone();
        this.capacity = capacity;
        engine = bodies.open();
        int unseen;
        try {
            unseen = bodies.describeFixed(
                    attached, (key, is) -> fixed.add(new KnownBody<>(key, is, 0, 0, ALWAYS, ALWAYS)));
        } catch (Throwable thrown) {
            close();
            throw thrown;
        }
        if (unseen > 0) {
            System.getLogger("dev.escapement.physics")
                    .log(
                            System.Logger.Level.WARNING,
                            "Queries will not hit " + unseen
                                    + " bodies of the world. Attach bodies that move, so that their poses are known"
                                    + " (soft bodies cannot be queried).");
        }
    }

    /**
     * Offers a body. Physics thread.
     *
     * @param body      a body that is in the world
     * @param id        its id
     * @param userData  the game's own number for it
     * @param fromTick  the first tick for which its description holds, or {@link #ALWAYS}
     * @param shownTick a tick that shows the body
     * @return false if the feed takes no more bodies, because the asking thread has closed it, or because too many bodies wait
     */
    public boolean offer(B body, long id, long userData, long fromTick, long shownTick) {
        if (closed) {
            return false;
        }
        boolean isCounted = fromTick != ALWAYS; // a world may have more bodies than come between two moments
        if (isCounted && waiting.get() == capacity) {
            overrun = true;
            return false;
        }
        D description = bodies.describe(body);
        if (description == null) {
            return true;
        }
        if (isCounted) {
            waiting.incrementAndGet();
        }
        queue.add(new KnownBody<>(bodies.key(body), description, id, userData, fromTick, shownTick));
        if (closed) {
            freeAll();
            return false;
        }
        return true;
    }

    /**
     * {@return the query world that takes the bodies of this feed} Call it once.
     *
     * @param pastTicks see {@link QueryWorld}
     */
    public QueryWorld open(int pastTicks) {
        return new QueryWorld(this, engine, zero, pastTicks);
    }

    /** Returns the next body that was offered, null if there is none now. Asking thread. */
    @Nullable
    KnownBody<D> peek() {
        return queue.peek();
    }

    /** Removes the body that {@link #peek} has returned; the caller frees it. Asking thread. */
    void poll() {
        KnownBody<D> taken = queue.poll();
        if (taken != null && taken.fromTick != ALWAYS) {
            waiting.decrementAndGet();
        }
    }

    /** Returns the static bodies that are not attached. The asking thread removes and frees each body that it has taken. */
    List<KnownBody<D>> fixed() {
        return fixed;
    }

    /** Returns whether more bodies were offered than fit, so that the asking thread lacks some of them. */
    boolean isOverrun() {
        return overrun;
    }

    /** {@return whether the asking thread has closed its query world} Any thread. */
    public boolean isClosed() {
        return closed;
    }

    int capacity() {
        return capacity;
    }

    /** Frees the waiting bodies and the engine's copies. Asking thread, which does not poll any more. Idempotent. */
    public void close() {
        if (!closed) {
            fixed.forEach(body -> body.free(engine));
            fixed.clear();
            closed = true;
            freeAll();
            engine.close();
        }
    }

    private void freeAll() {
        for (KnownBody<D> body = queue.poll(); body != null; body = queue.poll()) {
            body.free(engine);
        }
    }
}
