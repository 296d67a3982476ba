package dev.escapement.cluster.aeron;

import dev.escapement.physics.replay.StateBuffer;
import dev.escapement.state.time.TimeScale;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongUnaryOperator;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * What the log has, on its way from the thread that reads it to the physics thread: batches, and the cuts of ticks between them.
 *
 * <pre>{@code
 * ring.offerBatch(nowNanos, false, false, batch, 0, length); // the log's thread
 * ring.offerTick(1, fromNanos, dueNanos, localDueNanos, TimeScale.ONE, false);
 *
 * while (!tickFound && ring.read(visitor)) {} // the physics thread
 * }</pre>
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>The physics thread gets all that was offered once, in order.</li>
 *   <li>Bounded memory: the log's thread is refused when too many ticks, or {@value #RING_BYTES} bytes, wait.</li>
 *   <li>A state belongs to the thread that has written it until it is handed over, and then to the other one.</li>
 * </ol>
 *
 * <p><b>Threads and progress.</b> One thread offers, one reads; both are wait-free. Reading allocates nothing but new scales.
 */
final class TickRing {

    /** Gets what was offered. Physics thread. */
    interface Visitor {

        /** The buffer is valid until this returns. */
        void batch(long timestamp, boolean paused, boolean refused, DirectBuffer buffer, int offset, int length);

        /** The tick is {@link TickRing#tick} until the next one is read. */
        void tick();

        /** Everything that is the physics thread's is to be appended. */
        void save(StateBuffer to);

        /** Everything that is the physics thread's is next. */
        void restore(StateBuffer from);
    }

    /** A tick that was cut, and what is after it. */
    static final class Cut {
        private static final int DUE_AT = 2 * Long.BYTES;
        private static final int LOCAL_DUE_AT = 3 * Long.BYTES;
        private static final int BYTES = 6 * Long.BYTES + 1;

        long number;
        long fromNanos;
        long dueNanos;
        long localDueNanos;
        TimeScale scale = TimeScale.ONE;
        boolean standsStill;

        private void read(DirectBuffer buffer, int at) {
            number = buffer.getLong(at);
            fromNanos = buffer.getLong(at + Long.BYTES);
            dueNanos = buffer.getLong(at + DUE_AT);
            localDueNanos = buffer.getLong(at + LOCAL_DUE_AT);
            long numerator = buffer.getLong(at + 4 * Long.BYTES);
            long denominator = buffer.getLong(at + 5 * Long.BYTES);
            if (numerator != scale.numerator() || denominator != scale.denominator()) {
                scale = new TimeScale(numerator, denominator);
            }
            standsStill = buffer.getByte(at + 6 * Long.BYTES) != 0;
        }
    }

    /** The state that was asked for so many times before. */
    private record Saved(long number, StateBuffer state) {}

    static final int RING_BYTES = 1 << 21;

    private static final int BATCH_HEADER_BYTES = Long.BYTES + 2;
    private static final int BATCH = 1;
    private static final int TICK = 2;
    private static final int SAVE = 3;
    private static final int RESTORE = 4;
    private static final int NONE = -1;

    /** What more was offered since a state was saved could perhaps not be offered at once by who restores it. */
    private static final int MOST_SINCE_BYTES = RING_BYTES / 4;

    final OneToOneRingBuffer ring = new OneToOneRingBuffer(
            new UnsafeBuffer(ByteBuffer.allocateDirect(RING_BYTES + RingBufferDescriptor.TRAILER_LENGTH)));
    private final int mostWaiting;
    private final Visitor visitor;
    private final MessageHandler reading = this::read;

    // Acquired by the log's thread, released by the physics thread: orders nothing else, the ring has its own fences.
    private final AtomicLong taken = new AtomicLong();
    private long offered;

    /** What was offered after the last state was asked for. The log's thread. */
    private @Nullable StateBuffer since;

    /** How many states were asked for. The log's thread. */
    private long asked;

    /** How many were saved. Physics thread. */
    private long done;

    // Released by the physics thread, acquired by the log's thread: the state that was saved last.
    private final AtomicReference<@Nullable Saved> saved = new AtomicReference<>();

    /** Handed over through the ring, once. */
    private @Nullable StateBuffer toRestore;

    /** The tick that was read last. Physics thread. */
    final Cut tick = new Cut();

    /** With room for so many ticks. */
    TickRing(int mostWaiting, Visitor visitor) {
        this.mostWaiting = mostWaiting;
        this.visitor = visitor;
    }

    /**
     * Offers a batch; false if there is no room. While time stands still, its events change levels only, as in any service. Its commands may be
     * refused, because too many wait. The log's thread.
     */
    boolean offerBatch(long timestamp, boolean paused, boolean refused, DirectBuffer batch, int offset, int length) {
        int at = ring.tryClaim(BATCH, BATCH_HEADER_BYTES + length);
        if (at < 0) {
            return false;
        }
        ring.buffer().putLong(at, timestamp);
        ring.buffer().putByte(at + Long.BYTES, (byte) (paused ? 1 : 0));
        ring.buffer().putByte(at + Long.BYTES + 1, (byte) (refused ? 1 : 0));
        ring.buffer().putBytes(at + BATCH_HEADER_BYTES, batch, offset, length);
        commit(BATCH, at, BATCH_HEADER_BYTES + length);
        return true;
    }

    private void commit(int type, int at, int length) {
        if (since != null) {
            byte[] bytes = new byte[length];
            ring.buffer().getBytes(at, bytes);
            since.put((long) type).put(bytes);
            since = since.size() > MOST_SINCE_BYTES ? null : since;
        }
        ring.commit(at);
    }

    /** How many ticks wait. The log's thread. */
    long waiting() {
        return offered - taken.getAcquire();
    }

    /** Offers a tick, its input being all that was offered before; false if there is no room. The log's thread. */
    boolean offerTick(long number, long from, long due, long localDue, TimeScale after, boolean standsStillAfter) {
        int at = waiting() < mostWaiting ? ring.tryClaim(TICK, Cut.BYTES) : NONE;
        if (at < 0) {
            return false;
        }
        MutableDirectBuffer buffer = ring.buffer();
        buffer.putLong(at, number);
        buffer.putLong(at + Long.BYTES, from);
        buffer.putLong(at + Cut.DUE_AT, due);
        buffer.putLong(at + Cut.LOCAL_DUE_AT, localDue);
        buffer.putLong(at + 4 * Long.BYTES, after.numerator());
        buffer.putLong(at + 5 * Long.BYTES, after.denominator());
        buffer.putByte(at + 6 * Long.BYTES, (byte) (standsStillAfter ? 1 : 0));
        commit(TICK, at, Cut.BYTES);
        offered++;
        return true;
    }

    /**
     * Has the physics thread's state saved, once all that was offered before has run, and remembers what is offered from now on; false if
     * there is no room. The log's thread.
     */
    boolean offerSave() {
        boolean taken = offer(SAVE);
        asked += taken ? 1 : 0;
        since = taken ? new StateBuffer() : since;
        return taken;
    }

    /** Forgets what was offered since the state was saved. The log's thread. */
    void forgetSaved() {
        since = null;
    }

    /** Whether a state was asked for, and not forgotten. The log's thread. */
    boolean hasState() {
        return since != null;
    }

    /** Whether that state is complete. The log's thread. */
    boolean isSaved() {
        Saved last = saved.getAcquire();
        return last != null && last.number == asked;
    }

    /** Appends the state that was saved, and what was offered since. The log's thread, once it {@link #isSaved}. */
    void takeSaved(StateBuffer to) {
        to.put(Objects.requireNonNull(saved.getAcquire()).state.toBytes())
                .put(Objects.requireNonNull(since).toBytes());
    }

    /**
     * Has the physics thread's state restored, and offers again what was offered after it was saved. The log's thread, before all else: no more
     * was offered than there is room for.
     *
     * @param localDueNanos when a tick is due here that is due by the log
     */
    void restore(StateBuffer from, LongUnaryOperator localDueNanos) {
        toRestore = new StateBuffer(from.getBytes());
        boolean taken = offer(RESTORE);
        StateBuffer again = new StateBuffer(from.getBytes());
        while (taken && again.hasMore()) {
            int type = (int) again.getLong();
            byte[] bytes = again.getBytes();
            int at = ring.tryClaim(type, bytes.length);
            taken = at >= 0;
            if (taken) {
                ring.buffer().putBytes(at, bytes);
                if (type == TICK) {
                    long dueNanos = ring.buffer().getLong(at + Cut.DUE_AT);
                    ring.buffer().putLong(at + Cut.LOCAL_DUE_AT, localDueNanos.applyAsLong(dueNanos));
                    offered++;
                }
                commit(type, at, bytes.length);
            }
        }
        if (!taken) {
            throw new IllegalStateException("a saved state has more than there is room for");
        }
    }

    private boolean offer(int type) {
        int at = ring.tryClaim(type, 0);
        if (at >= 0) {
            ring.commit(at);
        }
        return at >= 0;
    }

    /** Reads what was offered next; false if there is nothing. Physics thread. */
    boolean read() {
        return ring.read(reading, 1) > 0;
    }

    private void read(int type, MutableDirectBuffer buffer, int at, int length) {
        switch (type) {
            case BATCH ->
                visitor.batch(
                        buffer.getLong(at),
                        buffer.getByte(at + Long.BYTES) != 0,
                        buffer.getByte(at + Long.BYTES + 1) != 0,
                        buffer,
                        at + BATCH_HEADER_BYTES,
                        length - BATCH_HEADER_BYTES);
            case TICK -> {
                tick.read(buffer, at);
                visitor.tick();
            }
            case SAVE -> {
                StateBuffer state = new StateBuffer();
                visitor.save(state);
                saved.setRelease(new Saved(++done, state));
            }
            case RESTORE -> visitor.restore(Objects.requireNonNull(toRestore));
            default -> throw new IllegalStateException("no message is of type " + type);
        }
    }

    /** Another tick may wait. Physics thread. */
    void taken() {
        taken.setRelease(taken.getPlain() + 1);
    }
}
