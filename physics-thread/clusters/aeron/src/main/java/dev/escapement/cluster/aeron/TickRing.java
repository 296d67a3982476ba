package dev.escapement.cluster.aeron;

import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.time.TimeScale;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongUnaryOperator;
import org.jctools.queues.SpscArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * Passes batches of input, and between them the cuts at which the input of a tick ends, from the thread that reads the log to the physics
 * thread.
 *
 * <p><b>Guarantees</b>
 * <ol>
 *   <li>The physics thread gets each entry once, in order.</li>
 *   <li>Bounded memory: an offer is refused while too many ticks, or {@value #MAX_BYTES} bytes of batches, wait.</li>
 *   <li>A state belongs to the thread that has written it until the handover, and then to the other thread.</li>
 * </ol>
 *
 * <p><b>Threads and progress.</b> The physics thread calls {@link #poll} and {@link #taken}, the thread that reads the log all other
 * methods; both are wait-free. Taking allocates nothing.
 */
final class TickRing {

    /** A batch, a sender that has left, a cut, or a request to save or restore a state. */
    sealed interface RingEntry {}

    /**
     * A client's batch, read at the time {@code nowNanos} of the log. If {@code paused}, events only change the levels, except the end of a
     * drag. Without {@code hasRoom} the commands do not run, because too many wait. {@code sender} is the client's number as a sender of
     * input, which has joined with this batch or before; if it is 0, the client is no sender, and its events are ignored.
     */
    record Inputs(long nowNanos, boolean paused, boolean hasRoom, int sender, Batch batch) implements RingEntry {}

    /** A sender has left, at a time of the log. Its leave is input of the next tick. */
    record Left(long atNanos, int sender) implements RingEntry {}

    /**
     * The cut of a tick, where its input ends. The input is everything that was offered since the previous tick's cut. {@code scale} and
     * {@code standsStill} apply after the tick.
     */
    record Cut(long number, long fromNanos, long dueNanos, long localDueNanos, TimeScale scale, boolean standsStill)
            implements RingEntry {}

    /** Asks the physics thread to save its state. The physics thread releases {@code state}, the log's reader acquires it. */
    record Save(AtomicReference<@Nullable StateBuffer> state) implements RingEntry {}

    /** Asks the physics thread to restore the state that is in the buffer. */
    record Restore(StateBuffer state) implements RingEntry {}

    static final int MAX_BYTES = 1 << 21;
    static final int MAX_ENTRIES = 1 << 13;

    // In a saved state, each entry begins with one of these numbers.
    private static final long CUT = 0;
    private static final long INPUTS = 1;
    private static final long LEFT = 2;

    private final SpscArrayQueue<RingEntry> queue = new SpscArrayQueue<>(MAX_ENTRIES);
    private final int maxTicks;

    // Released by the physics thread, acquired by the thread that reads the log; nothing else is ordered by them.
    private final AtomicLong takenTicks = new AtomicLong();
    private final AtomicLong takenBytes = new AtomicLong();

    // The fields below belong to the thread that reads the log.
    private long offeredTicks;
    private long offeredBytes;

    /** The last request to save, and the entries that were offered after it; null if there is none, or if the ring has forgotten it. */
    private @Nullable Save asked;

    private final List<RingEntry> since = new ArrayList<>();
    private long askedAtBytes;

    TickRing(int maxTicks) {
        this.maxTicks = maxTicks;
    }

    long waiting() {
        return offeredTicks - takenTicks.getAcquire();
    }

    long waitingBytes() {
        return offeredBytes - takenBytes.getAcquire();
    }

    /** Offers an entry. Returns false if there is no room. */
    boolean offer(RingEntry entry) {
        boolean hasRoom =
                entry instanceof Cut cut ? waiting() < maxTicks(cut.scale) : waitingBytes() + bytes(entry) <= MAX_BYTES;
        return hasRoom && add(entry);
    }

    private static int bytes(RingEntry entry) {
        return entry instanceof Inputs inputs ? inputs.batch.bytes().length : 0;
    }

    /** Returns the maximum number of waiting ticks at a scale of time: at a higher speed more ticks are due within the same lead. */
    private double maxTicks(TimeScale scale) {
        return Math.max(maxTicks, (double) maxTicks * scale.numerator() / scale.denominator());
    }

    private boolean add(RingEntry entry) {
        if (!queue.offer(entry)) {
            return false;
        }
        offeredTicks += entry instanceof Cut ? 1 : 0;
        offeredBytes += bytes(entry);
        if (entry instanceof Save save) {
            asked = save;
            askedAtBytes = offeredBytes;
            since.clear();
        } else if (asked != null) {
            since.add(entry);
            if (since.size() == MAX_ENTRIES || offeredBytes - askedAtBytes > MAX_BYTES) {
                forgetSaved(); // a restore could not offer all these entries at once
            }
        }
        return true;
    }

    /** Whether a save was requested and not forgotten. */
    boolean isSaving() {
        return asked != null;
    }

    boolean isSaved() {
        return asked != null && asked.state.getAcquire() != null;
    }

    /** Appends the saved state and the entries since the request to save, and forgets both. Call it if {@link #isSaved} is true. */
    void takeSaved(StateBuffer to) {
        StateBuffer state =
                Objects.requireNonNull(Objects.requireNonNull(asked).state.getAcquire());
        to.put(Arrays.copyOf(state.array(), state.size())); // without a checksum, because the snapshot has one
        for (RingEntry entry : since) {
            if (entry instanceof Inputs inputs) {
                to.put(INPUTS)
                        .put(inputs.nowNanos)
                        .put(inputs.paused)
                        .put(inputs.hasRoom)
                        .put((long) inputs.sender)
                        .put(inputs.batch.bytes());
            } else if (entry instanceof Cut cut) {
                to.put(CUT).put(cut.number).put(cut.fromNanos).put(cut.dueNanos);
                to.put(cut.scale.numerator()).put(cut.scale.denominator()).put(cut.standsStill);
            } else if (entry instanceof Left left) {
                to.put(LEFT).put(left.atNanos).put((long) left.sender);
            }
        }
        forgetSaved();
    }

    private void forgetSaved() {
        asked = null;
        since.clear();
    }

    /**
     * Asks the physics thread to restore a state, and offers the entries after it again. Call it before all other offers.
     *
     * @param toLocal converts a due time of the log into this node's clock
     */
    void restore(StateBuffer from, LongUnaryOperator toLocal) {
        add(new Restore(StateBuffer.unsealed(from.getBytes())));
        while (from.hasMore()) { // there is room for all entries: else offer() would have forgotten the save
            long kind = from.getLong();
            if (kind == INPUTS) {
                add(inputs(from));
            } else if (kind == LEFT) {
                add(new Left(from.getLong(), (int) from.getLong()));
            } else {
                add(cut(from, toLocal));
            }
        }
    }

    private static Inputs inputs(StateBuffer from) {
        return new Inputs(
                from.getLong(), from.getBoolean(), from.getBoolean(), (int) from.getLong(), Batch.of(from.getBytes()));
    }

    private static Cut cut(StateBuffer from, LongUnaryOperator toLocal) {
        long number = from.getLong();
        long fromNanos = from.getLong();
        long dueNanos = from.getLong();
        TimeScale scale = new TimeScale(from.getLong(), from.getLong());
        return new Cut(number, fromNanos, dueNanos, toLocal.applyAsLong(dueNanos), scale, from.getBoolean());
    }

    /** Takes the next entry; null if there is none. */
    @Nullable
    RingEntry poll() {
        RingEntry entry = queue.poll();
        if (entry instanceof Inputs) {
            takenBytes.setRelease(takenBytes.getPlain() + bytes(entry));
        }
        return entry;
    }

    /** Notes that a tick was taken, and makes room for another one. */
    void taken() {
        takenTicks.setRelease(takenTicks.getPlain() + 1);
    }
}
