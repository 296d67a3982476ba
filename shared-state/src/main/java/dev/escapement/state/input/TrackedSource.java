package dev.escapement.state.input;

import java.lang.invoke.VarHandle;

/**
 * An {@link InputSource} with a way into the ring that can be taken from it, and all that it holds: what is pressed and has not come up,
 * and axes that do not stand at 0. So a source that is lost is not heard any more, and leaves nothing held.
 *
 * <p><b>Guarantee.</b> Of what a source offers beside a {@link #revoke()}, each press is refused, or let come up by the
 * {@link #releasing()} that follows. What remains is one event: an offer that had found its way open, and is suspended right there until
 * the releases have been taken, is heard after them.
 *
 * <p>A level is one of the whole service: a key that another device holds too comes up with that of the lost one, as it does when either
 * of them lets go.
 *
 * <p><b>Threads.</b> One thread at a time polls. Any thread may call the other methods. Polling allocates nothing.
 *
 * @see InputSource
 */
public final class TrackedSource implements AutoCloseable {

    private static final InputState NOTHING = new InputState();

    private final InputSource source;
    private final InputRing shared;
    private final InputRing ring;

    // Plain: written by the thread that offers, presses before its full fence in mayOffer(). Read by the one that has
    // revoked, after its full fence in revoke(): it sees each press whose offer has not seen the revocation.
    private final InputState held = new InputState();
    private long latestNanos;

    /** Volatile: between an offer and a revocation the full fences decide, and it must be read and written there. */
    private volatile boolean revoked;

    /**
     * Gives a source its way into a ring. Nothing is held.
     *
     * @param source what is polled
     * @param ring   where its events go
     */
    public TrackedSource(InputSource source, InputRing ring) {
        this.source = source;
        shared = ring;
        this.ring = ring.of(this);
        latestNanos = ring.nowNanos();
    }

    /** Takes the place of one that was revoked. */
    private TrackedSource(TrackedSource lost) {
        source = new Releases();
        shared = lost.shared;
        ring = shared.of(this);
        held.copyFrom(lost.held); // a copy, for a thread that is lost in there may still write
        // Not before what was stamped ahead: the release has to come after it.
        latestNanos = later(shared.nowNanos(), lost.latestNanos);
    }

    /** Lets the source offer what has happened. */
    public void poll() {
        source.poll(ring);
    }

    /** Closes the source. */
    @Override
    public void close() {
        source.close();
    }

    /** Takes the way into the ring from the source: what it offers is refused, and counted as rejected. Idempotent. */
    public void revoke() {
        revoked = true;
        VarHandle.fullFence(); // pairs with that in mayOffer()
    }

    /**
     * Revokes, and makes what takes the place of the lost source.
     *
     * @return a source that lets come up, and return to 0, what the lost one held, as soon as the ring has room
     */
    public TrackedSource releasing() {
        revoke();
        return new TrackedSource(this);
    }

    /** Before an offer claims a place. False if it may not. */
    boolean mayOffer(long timeNanos, InputKind kind, int code, float x) {
        if (revoked) {
            return false; // and what it says it holds now is not released: it may be held by another
        }
        latestNanos = later(latestNanos, timeNanos);
        if (!isRelease(kind, x)) {
            held.apply(kind, code, x); // even if the ring is full: the device holds it
        }
        VarHandle.fullFence(); // pairs with that in revoke(): either that sees what is held, or this sees revoked
        return !revoked;
    }

    /** After an event was accepted. */
    void accepted(InputKind kind, int code, float x) {
        if (isRelease(kind, x)) {
            held.apply(kind, code, x);
        }
    }

    private static boolean isRelease(InputKind kind, float x) {
        return switch (kind) {
            case KEY_UP, POINTER_UP, BUTTON_UP -> true;
            case AXIS_MOVED -> x == 0;
            case KEY_DOWN, POINTER_DOWN, POINTER_MOVED, BUTTON_DOWN, APPLICATION -> false;
        };
    }

    private static long later(long aNanos, long bNanos) {
        return aNanos - bNanos < 0 ? bNanos : aNanos;
    }

    /** Offers the releases of all that is held, again and again until the ring has accepted each. */
    private final class Releases implements InputSource, LevelTracker.Visitor {

        private boolean done;

        @Override
        public void poll(InputRing own) {
            if (!done) {
                done = true;
                NOTHING.tellFrom(held, this);
            }
        }

        @Override
        public void level(InputKind kind, int code, float x) {
            done &= ring.offer(latestNanos, kind, code, x, 0);
        }
    }
}
