package dev.escapement.state.input;

import org.jspecify.annotations.Nullable;

/**
 * A producer's access to an {@link InputRing}, which tracks the levels that the producer holds.
 *
 * <p>When the producer is gone, the source releases held keys and buttons, axes that are not at 0, and a
 * {@linkplain DragInput dragged} body.
 *
 * <p><b>Refusals.</b> A source of this process, sender 0, keeps a backlog while the ring is full or {@linkplain InputRing#disable()
 * disabled}. The backlog has the newest position of each pointer, and each key, button and axis whose level the ring has not accepted. The
 * source offers them before the next event, and in {@link #catchUp()}. So ticks see in the end what the producer holds, but no event of a
 * key that went down and came up meanwhile. The backlog keeps no scroll: the ring refuses and counts it. Sources of other senders keep no
 * backlog: their offers return {@code false}, and the sender offers the event again.
 *
 * <p>{@link InputFrame#state()} has the levels of the whole service: a key that two producers hold comes up there when either releases it
 * or is gone. {@link InputFrame#state(int)} has the levels of each sender.
 *
 * <p>One thread. Offers allocate nothing.
 *
 * @see RemoteSources
 * @see BorrowedSource
 */
public final class TrackedSource extends InputSink {

    private final InputRing ring;
    private final int sender;

    /** The stamp of the producer's join. No event of a sender above 0 gets an earlier stamp. */
    private final long joinedNanos;

    private boolean hasJoined;

    private boolean isGone;

    /** True once the ring has accepted the leave, or the sender's number is free for others. */
    private boolean hasLeft;

    /** True once an offer threw: the ring may have accepted its event, see {@link InputRing}. */
    private boolean hasThrown;

    /** True while the producer drags a body. Only sender 0 needs this, because the leave of any other sender ends its drag. */
    private boolean isDragging;

    /** The levels of the producer, including changes that the ring has refused. */
    private final InputState wantedLevels = new InputState();

    private final InputState acceptedLevels = new InputState();

    /**
     * The levels that ticks may see. Unlike {@link #acceptedLevels} they have a press whose offer threw, because the ring may have accepted
     * it.
     */
    private final InputState heldLevels = new InputState();

    /** True if {@link #wantedLevels} may differ from {@link #acceptedLevels}. */
    boolean hasBacklog;

    /** A bit for each pointer whose newest position the ring has refused. */
    long refusedPointers;

    /** x at 2 n, y at 2 n + 1 for each pointer n in {@link #refusedPointers}. */
    private final float[] positions = new float[2 * InputState.POINTERS];

    private long movedNanos;

    // The pointer's position at the last change of one of its buttons.
    private float buttonX;
    private float buttonY;

    /**
     * The latest stamp so far. Events of {@link #catchUp} and {@link #release} get this stamp, so that they follow the events they depend
     * on.
     */
    private long latestNanos;

    private final InputLevels.Visitor offerLevel = this::offerLevel;

    private boolean allAccepted;

    /**
     * Creates a source. Call {@link #join} next, unless the sender is 0, which is this process.
     *
     * @param before the producer's source of another ring, whose stamps may be of another clock: {@link #catchUp} offers the levels that
     *     the producer held there. Null for a producer that holds nothing
     */
    TrackedSource(InputRing ring, int sender, @Nullable TrackedSource before) {
        this.ring = ring;
        this.sender = sender;
        latestNanos = ring.clock.nanoTime();
        joinedNanos = latestNanos;
        hasJoined = sender == 0;
        if (before != null) {
            wantedLevels.copyFrom(before.wantedLevels);
            buttonX = before.buttonX;
            buttonY = before.buttonY;
            hasBacklog = true;
            latestNanos = before.latestNanos - latestNanos < 0 ? before.latestNanos : latestNanos;
        }
    }

    /** {@return the {@link InputEvent#sender()} of its events: 1 or more, or 0 for a producer of this process} Any thread. */
    public int sender() {
        return sender;
    }

    @Override
    InputRing ring() {
        return ring;
    }

    /** Offers the join, unless the ring has accepted it before. Returns whether the ring has it now. */
    boolean join() {
        hasJoined = hasJoined || enqueue(joinedNanos, InputKind.SENDER_JOINED, 0, 0, 0);
        return hasJoined;
    }

    private boolean enqueue(long timeNanos, InputKind kind, int code, float x, float y) {
        boolean hadThrown = hasThrown;
        hasThrown = true; // remains true if enqueue throws
        boolean isAccepted = ring.enqueue(sender, timeNanos, kind, code, x, y);
        hasThrown = hadThrown;
        return isAccepted;
    }

    /** {@inheritDoc} Returns true also for an event that the backlog keeps. */
    @Override
    public boolean offer(long stampNanos, InputKind kind, int code, float x, float y) {
        long timeNanos = sender == 0 ? stampNanos : later(stampNanos, joinedNanos);
        ring.check(timeNanos, kind, code);
        if (isGone) {
            return ring.refuse(); // before track, because after leave nothing would release a press
        }
        catchUp(); // first, else the newer event could overtake the backlog
        latestNanos = later(latestNanos, timeNanos);
        if (!join()) {
            return ring.refuse();
        }
        track(kind, code, x, y);
        if (enqueue(timeNanos, kind, code, x, y)) {
            trackAccepted(kind, code, x);
            return true;
        }
        if (!hasThrown) { // after a throw, acceptedLevels may lack a press that the ring has
            heldLevels.copyFrom(acceptedLevels); // undoes track: ticks cannot see the refused press
        }
        return keep(timeNanos, kind, code, x, y) || ring.refuse();
    }

    /** Tracks an event before its offer, so that a press is tracked even if its offer throws. */
    private void track(InputKind kind, int code, float x, float y) {
        wantedLevels.apply(kind, code, x);
        if (isOfPointerButton(kind)) {
            buttonX = x;
            buttonY = y;
        }
        if (!kind.isRelease(x)) {
            heldLevels.apply(kind, code, x);
        }
    }

    private void trackAccepted(InputKind kind, int code, float x) {
        acceptedLevels.apply(kind, code, x);
        if (kind == InputKind.POINTER_MOVED) {
            refusedPointers &= ~(1L << code); // the backlog's position is older than this event's
        }
        if (kind.isRelease(x)) {
            heldLevels.apply(kind, code, x);
        }
        InputKind.Effect effect = kind.effect(code);
        isDragging = effect == InputKind.Effect.BEGIN || (isDragging && effect != InputKind.Effect.END);
    }

    private boolean keep(long timeNanos, InputKind kind, int code, float x, float y) {
        boolean isMove = kind == InputKind.POINTER_MOVED;
        if (sender != 0 || !(isMove || kind.hasLevel()) || ring.isClosed()) {
            return false;
        }
        if (isMove) {
            refusedPointers |= 1L << code;
            positions[2 * code] = x;
            positions[2 * code + 1] = y;
            movedNanos = timeNanos;
        } else {
            hasBacklog = true;
        }
        return true;
    }

    /**
     * Offers the backlog, as far as the ring accepts it now. Call it in each frame or poll, because the producer may have no next event.
     * Cheap without a backlog.
     */
    public void catchUp() {
        if ((hasBacklog || refusedPointers != 0) && ring.isClosed()) {
            hasBacklog = false; // no tick takes the backlog; a later source continues from wantedLevels
            refusedPointers = 0;
        }
        for (long rest = refusedPointers; rest != 0; rest &= rest - 1) {
            int code = Long.numberOfTrailingZeros(rest);
            float x = positions[2 * code];
            if (enqueue(movedNanos, InputKind.POINTER_MOVED, code, x, positions[2 * code + 1])) {
                refusedPointers &= ~(1L << code);
            }
        }
        hasBacklog = hasBacklog && !offerChanges(wantedLevels, acceptedLevels);
    }

    /** Refuses all later offers of the producer. Releases get no earlier stamp than its latest event, so they follow the presses. */
    void leave() {
        isGone = true;
        isDragging |= hasThrown;
        latestNanos = later(ring.clock.nanoTime(), latestNanos);
    }

    /** Offers the release of all held levels, and the leave. Returns false if the ring had no room for all; then call it again. */
    boolean release() {
        if (hasLeft) { // only once, because another producer may have the number by now
            return true;
        }
        if (!hasJoined && !hasThrown) { // the ring has accepted no event of this producer
            ring.senders.free(sender);
            hasLeft = true;
        } else if (join() && offerChanges(InputState.NOTHING, heldLevels)) {
            hasLeft = sender > 0
                    ? enqueue(latestNanos, InputKind.SENDER_LEFT, 0, 0, 0)
                    : !isDragging || enqueue(latestNanos, InputKind.APPLICATION, DragInput.END, 0, 0);
        }
        return hasLeft;
    }

    private boolean offerChanges(InputState levels, InputState since) {
        allAccepted = true;
        levels.visitChangesSince(since, sender, offerLevel);
        return allAccepted;
    }

    private void offerLevel(int itsSender, InputKind kind, int code, float x) {
        boolean hasPosition = isOfPointerButton(kind);
        if (enqueue(latestNanos, kind, code, hasPosition ? buttonX : x, hasPosition ? buttonY : 0)) {
            heldLevels.apply(kind, code, x);
            acceptedLevels.apply(kind, code, x);
        } else {
            allAccepted = false;
        }
    }

    private static boolean isOfPointerButton(InputKind kind) {
        return kind == InputKind.POINTER_DOWN || kind == InputKind.POINTER_UP;
    }

    private static long later(long aNanos, long bNanos) {
        return aNanos - bNanos < 0 ? bNanos : aNanos;
    }
}
