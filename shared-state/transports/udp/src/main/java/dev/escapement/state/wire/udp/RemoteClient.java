package dev.escapement.state.wire.udp;

import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputSink;
import dev.escapement.state.input.TrackedSource;
import dev.escapement.state.internal.RecentExtremes;
import dev.escapement.state.wire.SenderSession;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The server's state of a client, kept up to 30 s after the client was dropped: its session, and the input events taken.
 *
 * <p><b>Exactly once.</b> A client numbers its events and sends all that were not acknowledged, from the first on. The server takes only
 * the next number, and only if the ring has room. The first event that a client still sends shows a restarted server which events the
 * server before it took.
 *
 * <p><b>Stamps.</b> The server maps a client's clock by the smallest difference between the arrival and the sending of a packet in the last
 * 10 s: events keep their distances, and events of the fastest packet are stamped with its arrival. No event is stamped before one that
 * happened earlier.
 *
 * <p>One thread.
 */
final class RemoteClient {

    private static final long SLICE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** The maximum age of an input event's stamp; older events are moved to that age. */
    private static final long MAX_BACK_NANOS = TimeUnit.MILLISECONDS.toNanos(250);

    /** A client may send a fifth of a second's events at once. */
    private static final int BURSTS_PER_SECOND = 5;

    private static final int MOVES_PER_SECOND = 1;
    private static final int MOVES_AT_ONCE = 4;
    private static final int CHALLENGES_PER_SECOND = 10;

    byte[] session;
    PacketSeal seal;

    @Nullable
    SocketAddress address;

    /** The highest number of the client's packets from its address. Lower numbers from elsewhere are late, and do not show a move. */
    long movedBy;

    /** The input source of the client; null if it was dropped, or the world takes no input. */
    @Nullable
    TrackedSource input;

    /** The number of the client's join: another one after a drop. */
    int join;

    /** Encodes the client's packets, over all its sessions: packet numbers continue, and acknowledged state is not sent again. */
    final SenderSession receiver;

    /**
     * The limit on the client's moves to another address. A move costs bytes, because the newest tick is sent again. A client whose packets
     * come by two paths in turn needs no move.
     */
    final Limits.TokenBucket moves = new Limits.TokenBucket(MOVES_PER_SECOND, MOVES_AT_ONCE);

    final Limits.TokenBucket challenges = new Limits.TokenBucket(CHALLENGES_PER_SECOND, CHALLENGES_PER_SECOND);

    /** The time of the last packet from the client's address; after the client was dropped, the time of the drop. */
    long heardNanos;

    /** The time of the last report of taken events to the client, and whether a report is due. */
    long reportedNanos;

    boolean waitsForAnswer;

    private final Consumer<Traffic> counter;
    private final Limits.TokenBucket bucket;
    private RecentExtremes offsets = new RecentExtremes(SLICE_NANOS);
    private long nextNumber = 1;

    // The stamp of the newest event taken, on the client's clock and on the server's.
    private boolean stamped;
    private long newestClientNanos;
    private long newestNanos;

    RemoteClient(byte[] session, PacketSeal seal, Limits limits, SenderSession receiver, Consumer<Traffic> counter) {
        this.session = session;
        this.seal = seal;
        this.receiver = receiver;
        this.counter = counter;
        bucket = new Limits.TokenBucket(
                limits.inputsPerSecond(), Math.max(1, limits.inputsPerSecond() / BURSTS_PER_SECOND));
    }

    long lastTaken() {
        return nextNumber - 1;
    }

    /** Moves the client to an address. The delays of packets from the old address say nothing about the new path. */
    void movedTo(SocketAddress now, long nowNanos) {
        address = now;
        heardNanos = nowNanos;
        movedBy = seal.opened();
        offsets = new RecentExtremes(SLICE_NANOS);
        receiver.beginSession(nowNanos);
    }

    /**
     * Notes that the client was dropped. The client's keys and buttons are released at this stamp, so its later events get no earlier one.
     */
    void dropped(long nowNanos) {
        address = null;
        input = null;
        heardNanos = nowNanos;
        newestNanos = nowNanos;
    }

    /** Takes as many events of a packet as possible. Returns false if the packet is cut off. */
    boolean takeInputs(ByteBuffer from, @Nullable InputSink sink, long nowNanos) {
        if (from.remaining() < 2 * Long.BYTES + 1) {
            return false;
        }
        offsets.add(nowNanos, nowNanos - from.getLong());
        long first = from.getLong();
        int count = from.get() & 0xFF;
        if (from.remaining() != count * Protocol.EVENT_BYTES) {
            return false;
        }
        waitsForAnswer |= count > 0;
        nextNumber = Math.max(nextNumber, first);
        for (long number = first; number < first + count; number++) {
            if (number < nextNumber) {
                from.position(from.position() + Protocol.EVENT_BYTES);
            } else if (!bucket.has(nowNanos) || !take(from, sink, nowNanos)) {
                return true; // the client sends the rest again
            } else {
                bucket.take();
                nextNumber++;
            }
        }
        return true;
    }

    private boolean take(ByteBuffer from, @Nullable InputSink sink, long nowNanos) {
        long clientNanos = from.getLong();
        long stampNanos = clientNanos + offsets.smallest();
        InputKind kind = InputKind.ofNumber(from.get());
        int code = from.getInt();
        float x = from.getFloat();
        float y = from.getFloat();
        if (sink == null || kind == null || !kind.hasCode(code) || !mayHave(kind, x, y)) {
            counter.accept(Traffic.INPUTS_DROPPED);
            return true;
        }
        long backNanos = nowNanos - stampNanos;
        backNanos = Math.max(0, Math.min(backNanos, MAX_BACK_NANOS));
        stampNanos = nowNanos - backNanos;
        boolean follows = stamped && clientNanos - newestClientNanos >= 0;
        if (follows && stampNanos - newestNanos < 0) {
            // The clock offset has decreased since the event before, but a key must not be released before it is
            // pressed.
            stampNanos = newestNanos;
        }
        if (!sink.offer(stampNanos, kind, code, x, y)) {
            return false;
        }
        if (follows || !stamped) {
            stamped = true;
            newestClientNanos = clientNanos;
            newestNanos = stampNanos;
        }
        counter.accept(Traffic.INPUTS_TAKEN);
        return true;
    }

    /**
     * Returns whether an event may have these values. Coordinates that are not finite must not reach the bodies of a world; an
     * application's own events are not checked.
     */
    private static boolean mayHave(InputKind kind, float x, float y) {
        return kind == InputKind.APPLICATION || (Float.isFinite(x) && Float.isFinite(y));
    }
}
