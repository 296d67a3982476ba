package dev.escapement.state.input;

/**
 * One producer's view of an {@link InputRing}, which tracks what that producer holds: keys and buttons that are down, axes that do not
 * stand at 0, and the body that is {@linkplain DragInput dragged}. So all of it can be released when the producer is gone.
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

    private long latestNanos;

    /** The stamp of what {@link #offerLevel} offers. */
    private long levelNanos;

    private final LevelTracker.Visitor offerLevel = this::offerLevel;
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
        boolean released = offerChanges(SenderLevels.NOTHING, latestNanos);
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
        long nowNanos = shared.nowNanos();
        latestNanos = before.latestNanos - nowNanos < 0 ? before.latestNanos : nowNanos;
    }

    /**
     * Offers what the producer held in another view, and releases that were refused. What is held and was refused here stays so until it
     * changes. False if the ring had no room for all; then call it again.
     */
    boolean catchUp() {
        return offerChanges(wanted, latestNanos);
    }

    private boolean offerChanges(InputState levels, long timeNanos) {
        allAccepted = true;
        levelNanos = timeNanos;
        levels.reportFrom(held, sender, offerLevel);
        return allAccepted;
    }

    private void offerLevel(int itsSender, InputKind kind, int code, float x) {
        if (untracked.offer(levelNanos, kind, code, x, 0)) {
            held.apply(kind, code, x);
        } else {
            allAccepted = false;
        }
    }

    /** Notes what the producer holds, before an offer claims a place. Returns false if the offer is refused. */
    boolean beginOffer(long timeNanos, InputKind kind, int code, float x) {
        if (gone) {
            return false; // and held is unchanged: a refused press must not be released
        }
        latestNanos = later(latestNanos, timeNanos);
        if (!join()) {
            return false;
        }
        wanted.apply(kind, code, x);
        if (!isRelease(kind, x)) {
            held.apply(kind, code, x); // even if the ring is full, because the producer holds it
        }
        return true;
    }

    /** Called after an event was accepted. */
    void accepted(InputKind kind, int code, float x) {
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
