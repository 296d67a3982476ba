package dev.escapement.state.wire.udp;

import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputLevels;
import dev.escapement.state.input.InputRing;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.time.NanoClock;
import java.nio.ByteBuffer;
import java.util.Objects;

/**
 * Keeps the input events of a client until the server has acknowledged them, numbered from 1. At most 1,024 events wait: half of them here,
 * and a quarter each in the ring and its sampler. While {@value #CROWD} or more wait here, a move of a pointer or an axis replaces an
 * earlier unsent one, so that a fast mouse leaves room for keys and buttons. A server that has forgotten the client gets the held keys,
 * buttons and axes again.
 *
 * <p>One thread, except for the ring.
 */
final class InputOutbox {

    private static final int RING = 256;
    private static final int CAPACITY = 2 * RING;
    private static final int CROWD = RING / 2;
    private static final int MAX_IN_PACKET = 255;
    private static final int KIND_AT = Long.BYTES;
    private static final int CODE_AT = KIND_AT + 1;

    final InputRing ring;

    private final InputSampler sampler;

    /** What is held after all events of the outbox. */
    private final InputLevels levels = new InputLevels();

    // Where the pointer was last: held buttons are offered again there.
    private float pointerX;
    private float pointerY;

    private boolean owesHeld;

    /** The events in their wire layout, each at its number modulo the capacity. */
    private final ByteBuffer events = ByteBuffer.allocate(CAPACITY * Protocol.EVENT_BYTES);

    private long first = 1;
    private int count;

    /** The number of the newest event that was sent. The server may have that event, so no move may replace it or an earlier one. */
    private long sent;

    InputOutbox(NanoClock clock) {
        ring = new InputRing(RING, clock);
        sampler = new InputSampler(ring);
    }

    boolean isEmpty() {
        return count == 0;
    }

    /** Moves offered events from the ring to the outbox, if there is room for a full ring. */
    void collect(long nowNanos) {
        if (CAPACITY - count < RING) {
            return;
        }
        if (owesHeld) {
            owesHeld = false;
            levels.visitHeld((sender, kind, code, x) -> offerHeld(nowNanos, kind, code, x));
            return; // the next call looks anew whether there is room for a full ring
        }
        InputFrame offered = sampler.sample(nowNanos, nowNanos);
        for (int i = 0; i < offered.size(); i++) {
            InputEvent event = offered.event(i);
            if (event.kind().hasCode(event.code())) { // not joins and leaves: to the server, this process is one sender
                levels.set(InputLevels.ALL, event.kind(), event.code(), event.x());
                if (event.kind() == InputKind.POINTER_MOVED || event.kind() == InputKind.POINTER_DOWN) {
                    pointerX = event.x();
                    pointerY = event.y();
                }
                put(numberFor(event), event.timeNanos(), event.kind(), event.code(), event.x(), event.y());
            }
        }
    }

    private void put(long number, long timeNanos, InputKind kind, int code, float x, float y) {
        events.position(place(number))
                .putLong(timeNanos)
                .put(kind.number())
                .putInt(code)
                .putFloat(x)
                .putFloat(y);
        count = (int) Math.max(count, number + 1 - first);
    }

    /** Adds a held level as an event, unless an event that waits sets it. */
    private void offerHeld(long nowNanos, InputKind kind, int code, float x) {
        long end = first + count;
        long number = first;
        while (number < end && !isOf(number, kind, code)) {
            number++;
        }
        if (number == end && count < CAPACITY) {
            boolean isButton = kind == InputKind.POINTER_DOWN;
            put(end, nowNanos, kind, code, isButton ? pointerX : x, isButton ? pointerY : 0);
        }
    }

    private boolean isOf(long number, InputKind kind, int code) {
        return events.get(place(number) + KIND_AT) == kind.number() && events.getInt(place(number) + CODE_AT) == code;
    }

    /**
     * Returns the number of an event: the next number, or the number of an unsent move that it replaces. A move never passes an event that
     * is not a move, because that would change their order.
     */
    private long numberFor(InputEvent event) {
        long end = first + count;
        if (count >= CROWD && isMove(event.kind().number())) {
            for (long number = end - 1; number > sent && isMove(events.get(place(number) + KIND_AT)); number--) {
                if (isOf(number, event.kind(), event.code())) {
                    return number;
                }
            }
        }
        return end;
    }

    private static boolean isMove(byte kind) {
        return Objects.requireNonNull(InputKind.ofNumber(kind)).isPosition();
    }

    /** Writes unacknowledged events, oldest first, as many as fit. */
    void write(ByteBuffer to) {
        int fitting = (to.remaining() - Long.BYTES - 1) / Protocol.EVENT_BYTES;
        int written = Math.min(count, Math.min(fitting, MAX_IN_PACKET));
        to.putLong(first).put((byte) written);
        sent = Math.max(sent, first + written - 1);
        for (long number = first; number < first + written; number++) {
            to.put(to.position(), events, place(number), Protocol.EVENT_BYTES);
            to.position(to.position() + Protocol.EVENT_BYTES);
        }
    }

    /** Forgets the events up to a number. Ignores numbers that are old or were never sent. */
    void acknowledge(long last) {
        if (last >= first && last < first + count) {
            count -= (int) (last - first + 1);
            first = last + 1;
        }
    }

    /** Offers all that is held again, because a server released it or never knew it. */
    void offerHeldAgain() {
        owesHeld = true;
    }

    private static int place(long number) {
        return (int) (number % CAPACITY) * Protocol.EVENT_BYTES;
    }
}
