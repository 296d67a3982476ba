package dev.escapement.state.input;

/**
 * One producer's view of an {@link InputRing}, which tracks what that producer holds: keys and buttons that are down, axes that do not
 * stand at 0, and the body that is {@linkplain DragInput dragged}. So all of it can be released when the producer is gone.
 *
 * <p><b>Full ring.</b> A view of this process, sender 0, keeps what the ring has no room for: the newest place of each pointer, and which
 * keys, buttons and axes differ. It offers them before the next event, and when {@link #catchUp()} is called. So in the end what ticks see
 * held is what the producer holds; a key that went down and came up meanwhile is no event. A sender that has joined gets {@code false}
 * instead, and offers the event again.
 *
 * <p>The levels of {@link InputFrame#state()} belong to the whole service and not to a producer: a key that two of them hold comes up there
 * when either releases it or is gone; {@link InputFrame#state(int)} has those of each.
 *
 * <p>One thread. Offers allocate nothing.
 *
 * @see RemoteSources
 * @see LentSource
 */
public final class TrackedSource {

    private final InputRing shared;
    private final InputRing ring;

    /** Where its join, leave and releases are offered, which are not tracked. */
    private final InputRing untracked;

    private final int sender;

    /** The stamp of its join. What it offers is not stamped earlier. */
    private final long joinedNanos;

    /** Whether the ring has accepted that it joined. */
    private boolean joined;

    private boolean left;

    /** Whether it has taken hold of a body, and not let go. It matters where it cannot leave, which also ends a drag. */
    private boolean drags;

    /** What the service may consider held: a release counts once the ring has accepted it. */
    private final InputState held = new InputState();

    /** What the producer holds, also if the ring was full or closed when it let go. */
    private final InputState wanted = new InputState();

    /** What the ring has accepted: unlike {@link #held}, without a press that it has refused. */
    private final InputState accepted = new InputState();

    /** Whether {@link #wanted} may differ from {@link #accepted}. */
    private boolean behind;

    /** The pointers whose newest place the ring has refused, a bit each; x and y of each pointer, and the stamp of the newest. */
    private long moved;

    private final float[] places = new float[2 * InputState.POINTERS];
    private long movedNanos;

    /** Where a pointer's button changed last. */
    private float buttonX;

    private float buttonY;

    private long latestNanos;

    private final InputLevels.Visitor offerLevel = this::offerLevel;
    private boolean gone;

    /** Whether the last call of {@link #offerChanges} had all of its events accepted. */
    private boolean allAccepted;

    /** Creates a view of a ring, with nothing held: of this process if the sender is 0, or else of a number that was taken. */
    TrackedSource(InputRing ring, int sender) {
        shared = ring;
        this.sender = sender;
        this.ring = ring.of(this, sender);
        untracked = ring.of(null, sender);
        latestNanos = ring.nowNanos();
        joinedNanos = latestNanos;
        join();
    }

    /** {@return the {@link InputEvent#sender()} of its events: 1 or more, or 0 for a producer of this process} Any thread. */
    public int sender() {
        return sender;
    }

    /** Offers that it joined, until the ring accepts it. */
    private boolean join() {
        joined = joined || sender == 0 || untracked.offerAny(joinedNanos, InputKind.SENDER_JOINED, 0, 0, 0);
        return joined;
    }

    /** The stamp of an event, which is not before its join. */
    long afterJoin(long timeNanos) {
        return sender == 0 ? timeNanos : later(timeNanos, joinedNanos);
    }

    /** {@return the producer's view of the ring, where it offers} */
    public InputRing ring() {
        return ring;
    }

    boolean isViewOf(InputRing other) {
        return shared == other;
    }

    /** Refuses what the producer offers from now on. Releases are stamped no earlier than its latest event, so they follow the presses. */
    void leave() {
        gone = true;
        latestNanos = later(shared.nowNanos(), latestNanos);
    }

    /** Offers the release of all that is held, and that it left. False if the ring had no room for all; then call it again. */
    boolean release() {
        if (!joined) {
            if (!left) { // once: another may have the number by then
                left = true;
                shared.senders.free(sender); // and no event was accepted
            }
            return true;
        }
        boolean released = offerChanges(InputState.NOTHING, held);
        if (sender == 0) {
            drags = drags && !DragInput.end(untracked, latestNanos);
            return released && !drags;
        }
        left = left || (released && untracked.offerAny(latestNanos, InputKind.SENDER_LEFT, 0, 0, 0));
        return released && left;
    }

    /** Takes over what the producer held in another view, whose stamps may be of another clock. {@link #catchUp} offers it. */
    void continueFrom(TrackedSource before) {
        wanted.copyFrom(before.wanted);
        behind = true;
        long nowNanos = shared.nowNanos();
        latestNanos = before.latestNanos - nowNanos < 0 ? before.latestNanos : nowNanos;
    }

    /**
     * Offers what the ring had no room for, if it has room now. Call it regularly while the producer may have nothing to offer: in each
     * frame, poll or wait for events. Cheap if nothing was refused.
     */
    public void catchUp() {
        if ((behind || moved != 0) && shared.isClosed()) {
            behind = false; // no tick takes it; the next view continues from what is wanted
            moved = 0;
        }
        for (long left = moved; left != 0; left &= left - 1) {
            int pointer = Long.numberOfTrailingZeros(left);
            if (untracked.offer(
                    movedNanos, InputKind.POINTER_MOVED, pointer, places[2 * pointer], places[2 * pointer + 1])) {
                moved &= ~(1L << pointer);
            }
        }
        behind = behind && !offerChanges(wanted, accepted);
    }

    /** Whether keys, buttons or axes wait for room. */
    boolean isBehind() {
        return behind;
    }

    private boolean offerChanges(InputState levels, InputState since) {
        allAccepted = true;
        levels.visitChangesSince(since, sender, offerLevel);
        return allAccepted;
    }

    private void offerLevel(int itsSender, InputKind kind, int code, float x) {
        boolean isOfPointer = kind == InputKind.POINTER_DOWN || kind == InputKind.POINTER_UP;
        if (untracked.offer(latestNanos, kind, code, isOfPointer ? buttonX : x, isOfPointer ? buttonY : 0)) {
            held.apply(kind, code, x);
            accepted.apply(kind, code, x);
        } else {
            allAccepted = false;
        }
    }

    /** Notes what the producer holds, before an offer claims a place. Returns false if the offer is refused. */
    boolean beginOffer(long timeNanos, InputKind kind, int code, float x, float y) {
        if (gone) {
            return false; // and held is unchanged: a refused press must not be released
        }
        catchUp(); // before the newer event, which could overtake
        latestNanos = later(latestNanos, timeNanos);
        if (!join()) {
            return false;
        }
        wanted.apply(kind, code, x);
        if (kind == InputKind.POINTER_DOWN || kind == InputKind.POINTER_UP) {
            buttonX = x;
            buttonY = y;
        }
        if (!isRelease(kind, x)) {
            held.apply(kind, code, x); // even if the ring is full, because the producer holds it
        }
        return true;
    }

    /** Keeps an event that the ring has refused, if {@link #catchUp} offers it later. */
    boolean keep(long timeNanos, InputKind kind, int code, float x, float y) {
        if (sender != 0 || gone || kind == InputKind.APPLICATION || shared.isClosed()) {
            return false;
        }
        if (kind == InputKind.POINTER_MOVED) {
            moved |= 1L << code;
            places[2 * code] = x;
            places[2 * code + 1] = y;
            movedNanos = timeNanos;
        } else {
            behind = true;
        }
        return true;
    }

    /** Called after an event was accepted. */
    void accepted(InputKind kind, int code, float x) {
        accepted.apply(kind, code, x);
        if (kind == InputKind.POINTER_MOVED) {
            moved &= ~(1L << code); // an older place
        }
        if (isRelease(kind, x)) {
            held.apply(kind, code, x);
        } else if (kind == InputKind.APPLICATION) {
            drags = code == DragInput.HOLD || (drags && code != DragInput.END);
        }
    }

    private static boolean isRelease(InputKind kind, float x) {
        return switch (kind) {
            case KEY_UP, POINTER_UP, BUTTON_UP -> true;
            case AXIS_MOVED -> x == 0;
            case KEY_DOWN, POINTER_DOWN, POINTER_MOVED, BUTTON_DOWN, APPLICATION, SENDER_JOINED, SENDER_LEFT -> false;
        };
    }

    private static long later(long aNanos, long bNanos) {
        return aNanos - bNanos < 0 ? bNanos : aNanos;
    }
}
