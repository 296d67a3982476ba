package dev.escapement.state.input;

import java.lang.invoke.VarHandle;

/**
 * An {@link InputSource} whose access to the ring can be revoked, and which tracks what the source holds: keys and buttons that are down,
 * axes that do not stand at 0, and the body that is {@linkplain DragInput dragged}. So a lost source offers nothing more, and all that it
 * held can be released.
 *
 * <p><b>Guarantee.</b> Each press that a source offers concurrently with a {@link #revoke()} is either refused, or released by the
 * {@link #releasing()} that follows. One exception remains: an offer that passed the check and is suspended until the releases were taken
 * arrives after them.
 *
 * <p>Levels belong to the whole service and not to a device: a key that two devices hold comes up when either of them releases it, and so
 * does the release of a lost source. The drag is of the source that took hold last: when another one is lost, the body is not let go.
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

    // Plain: the offering thread writes a press before its full fence in mayOffer(). The revoking thread reads after
    // its full fence in revoke(), and so sees each press whose offer has not seen the revocation.
    private final InputState held = new InputState();
    private long latestNanos;

    /** Volatile, so that it is read and written where the code does so: between an offer and a revocation, the full fences decide. */
    private volatile boolean revoked;

    /** Gives a source access to a ring, with nothing held.
     *
     * @param source the source to poll
     * @param ring   where its events go
     */
    public TrackedSource(InputSource source, InputRing ring) {
        this.source = source;
        shared = ring;
        this.ring = ring.of(this);
        latestNanos = ring.nowNanos();
    }

    /** Creates the replacement of a source that was revoked. */
    private TrackedSource(TrackedSource lost) {
        source = new Releases();
        shared = lost.shared;
        ring = shared.of(this);
        shared.dragger.compareAndSet(lost, this);
        held.copyFrom(lost.held); // a copy, because a thread that hangs in the lost source may still write
        // Not before the latest stamp of the lost source: a release must come after its press.
        latestNanos = later(shared.nowNanos(), lost.latestNanos);
    }

    /**
     * Where the source offers.
     *
     * @return its view of the ring
     */
    public InputRing ring() {
        return ring;
    }

    /** Whether a {@linkplain #releasing() releasing} source has nothing left to release. */
    boolean isDone() {
        return source instanceof Releases releases && releases.done;
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

    /** Revokes the source's access to the ring: its offers are refused, and counted as rejected. Idempotent. */
    public void revoke() {
        revoked = true;
        VarHandle.fullFence(); // pairs with that in mayOffer()
    }

    /**
     * Revokes the access, and creates the replacement of the lost source.
     *
     * @return a source that releases all that the lost one held, as soon as the ring has room
     */
    public TrackedSource releasing() {
        revoke();
        return new TrackedSource(this);
    }

    /** Called before an offer claims a place. False if the offer is refused. */
    boolean mayOffer(long timeNanos, InputKind kind, int code, float x) {
        if (revoked) {
            return false; // and held is unchanged: a refused press must not be released
        }
        latestNanos = later(latestNanos, timeNanos);
        if (!isRelease(kind, x)) {
            held.apply(kind, code, x); // even if the ring is full, because the device holds it
        }
        VarHandle.fullFence(); // pairs with that in revoke(): either that sees what is held, or this sees revoked
        return !revoked;
    }

    /** Called after an event was accepted. */
    void accepted(InputKind kind, int code, float x) {
        if (isRelease(kind, x)) {
            held.apply(kind, code, x);
        } else if (kind == InputKind.APPLICATION && code == DragInput.HOLD) {
            shared.dragger.set(this);
        } else if (kind == InputKind.APPLICATION && code == DragInput.END) {
            shared.dragger.set(null);
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

    /** Offers the releases of all that is held, repeatedly until the ring has accepted each. */
    private final class Releases implements InputSource, LevelTracker.Visitor {

        private boolean done;

        @Override
        public void poll(InputRing own) {
            if (!done) {
                done = true;
                NOTHING.tellFrom(held, this);
                if (shared.dragger.get() == TrackedSource.this) {
                    done &= DragInput.end(ring, latestNanos);
                }
            }
        }

        @Override
        public void level(InputKind kind, int code, float x) {
            done &= ring.offer(latestNanos, kind, code, x, 0);
        }
    }
}
