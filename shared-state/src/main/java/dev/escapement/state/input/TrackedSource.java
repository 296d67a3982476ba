package dev.escapement.state.input;

/**
 * A producer's view of an {@link InputRing}, which tracks what the producer holds.
 *
 * <p>It tracks keys and buttons that are down, axes that do not stand at 0, and a {@linkplain DragInput dragged} body, so that all of them
 * can be released when the producer is gone.
 *
 * <p><b>Full ring.</b> A view of this process, sender 0, keeps what the ring has no room for: the newest place of each pointer, and which
 * keys, buttons and axes differ. It offers them before the next event, and when {@link #catchUp()} is called. So in the end what ticks see
 * held is what the producer holds; a key that went down and came up meanwhile is no event. A sender that has joined gets {@code false}
 * instead, and offers the event again.
 *
 * <p>{@link InputFrame#state()} has the levels of the whole service, not of a producer: a key that two producers hold comes up there when
 * either releases it or is gone. {@link InputFrame#state(int)} has the levels of each sender.
 *
 * <p>One thread. Offers allocate nothing.
 *
 * @see RemoteSources
 * @see BorrowedSource
 */
public final class TrackedSource {

    /** The ring itself: what is offered to it directly is not tracked. */
    private final InputRing shared;

    private final InputRing view;
    private final int sender;

    /** The stamp of its join, a lower bound of the stamps of its events. */
    private final long joinedNanos;

    /** Whether the ring has accepted that it joined. */
    private boolean joined;

    /** Whether the producer is gone. */
    private boolean gone;

    /** Whether the ring has accepted that it left, or its number is free. */
    private boolean left;

    /** Whether it has taken hold of a body and not let go. Only a view of this process needs it: a sender's leave also ends its drag. */
    private boolean drags;

    /** What the producer holds, also if the ring was full or closed when it let go. */
    private final InputState wanted = new InputState();

    /** What the ring has accepted. */
    private final InputState accepted = new InputState();

    /** What ticks may see held. Unlike {@link #accepted} it has a press whose offer threw, because the ring may have accepted that. */
    private final InputState held = new InputState();

    /** Whether {@link #wanted} may differ from {@link #accepted}. */
    private boolean behind;

    /** A bit for each pointer whose newest place the ring has refused. */
    private long moved;

    /** x and y of each pointer in {@link #moved}. */
    private final float[] places = new float[2 * InputState.POINTERS];

    /** The stamp of the newest place in {@link #places}. */
    private long movedNanos;

    /** x and y of the last change of a pointer's button. */
    private float buttonX;

    private float buttonY;

    /** The latest stamp so far. Later offers of {@link #catchUp} and {@link #release} have it, and so follow the events they depend on. */
    private long latestNanos;

    private final InputLevels.Visitor offerLevel = this::offerLevel;

    /** Whether the ring has accepted all events of the last {@link #offerChanges}. */
    private boolean allAccepted;

    /** Creates a view of a ring, with nothing held: of this process if the sender is 0, else of a number that was taken. */
    TrackedSource(InputRing ring, int sender) {
        shared = ring;
        this.sender = sender;
        view = ring.viewOf(this);
        latestNanos = ring.nowNanos();
        joinedNanos = latestNanos;
        join();
    }

    /** {@return the {@link InputEvent#sender()} of its events: 1 or more, or 0 for a producer of this process} Any thread. */
    public int sender() {
        return sender;
    }

    /** {@return the producer's view of the ring, where it offers} */
    public InputRing ring() {
        return view;
    }

    boolean isViewOf(InputRing other) {
        return shared == other;
    }

    /** Whether keys, buttons or axes wait for room. */
    boolean isBehind() {
        return behind;
    }

    /** Offers that it joined, until the ring accepts it. */
    private boolean join() {
        joined = joined || sender == 0 || shared.enqueue(sender, joinedNanos, InputKind.SENDER_JOINED, 0, 0, 0);
        return joined;
    }

    /** Offers an event of the producer. Returns whether the ring has accepted it, or this view keeps it. */
    boolean offer(long stampNanos, InputKind kind, int code, float x, float y) {
        long timeNanos = sender == 0 ? stampNanos : later(stampNanos, joinedNanos);
        shared.checkStamp(timeNanos);
        if (gone) {
            return shared.refuse(); // before it is noted: nothing would release this press
        }
        catchUp(); // first, or the newer event could overtake
        latestNanos = later(latestNanos, timeNanos);
        if (!join()) {
            return shared.refuse();
        }
        note(kind, code, x, y);
        if (!shared.enqueue(sender, timeNanos, kind, code, x, y)) {
            return keep(timeNanos, kind, code, x, y);
        }
        noteAccepted(kind, code, x);
        return true;
    }

    /** Notes an event before it is offered, so that a press is known also if its offer throws. */
    private void note(InputKind kind, int code, float x, float y) {
        wanted.apply(kind, code, x);
        if (isOfPointerButton(kind)) {
            buttonX = x;
            buttonY = y;
        }
        if (!isRelease(kind, x)) {
            held.apply(kind, code, x);
        }
    }

    private void noteAccepted(InputKind kind, int code, float x) {
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

    /** Keeps an event that the ring has refused, if {@link #catchUp} offers it later. */
    private boolean keep(long timeNanos, InputKind kind, int code, float x, float y) {
        if (sender != 0 || kind == InputKind.APPLICATION || shared.isClosed()) {
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

    /**
     * Offers what the ring had no room for, if it has room now. Call it regularly while the producer may have nothing to offer: in each
     * frame, poll or wait for events. Cheap if nothing was refused.
     */
    public void catchUp() {
        if ((behind || moved != 0) && shared.isClosed()) {
            behind = false; // no tick takes it; the next view continues from what is wanted
            moved = 0;
        }
        for (long rest = moved; rest != 0; rest &= rest - 1) {
            int code = Long.numberOfTrailingZeros(rest);
            float x = places[2 * code];
            if (shared.enqueue(sender, movedNanos, InputKind.POINTER_MOVED, code, x, places[2 * code + 1])) {
                moved &= ~(1L << code);
            }
        }
        behind = behind && !offerChanges(wanted, accepted);
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
            drags = drags && !shared.enqueue(0, latestNanos, InputKind.APPLICATION, DragInput.END, 0, 0);
            return released && !drags;
        }
        left = left || (released && shared.enqueue(sender, latestNanos, InputKind.SENDER_LEFT, 0, 0, 0));
        return released && left;
    }

    /** Takes over what the producer held in another view, whose stamps may be of another clock. {@link #catchUp} offers it. */
    void continueFrom(TrackedSource before) {
        wanted.copyFrom(before.wanted);
        behind = true;
        long nowNanos = shared.nowNanos();
        latestNanos = before.latestNanos - nowNanos < 0 ? before.latestNanos : nowNanos;
    }

    private boolean offerChanges(InputState levels, InputState since) {
        allAccepted = true;
        levels.visitChangesSince(since, sender, offerLevel);
        return allAccepted;
    }

    private void offerLevel(int itsSender, InputKind kind, int code, float x) {
        boolean hasPlace = isOfPointerButton(kind);
        if (shared.enqueue(sender, latestNanos, kind, code, hasPlace ? buttonX : x, hasPlace ? buttonY : 0)) {
            held.apply(kind, code, x);
            accepted.apply(kind, code, x);
        } else {
            allAccepted = false;
        }
    }

    private static boolean isOfPointerButton(InputKind kind) {
        return kind == InputKind.POINTER_DOWN || kind == InputKind.POINTER_UP;
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
