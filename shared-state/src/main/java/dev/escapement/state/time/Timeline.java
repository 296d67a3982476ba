package dev.escapement.state.time;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The map from the monotonic clock to simulated time: a continuous, piecewise linear function that never decreases. The time scale is its
 * slope; it is flat during pauses and where time was skipped.
 *
 * <p>Simulated time is nanoseconds too: tick {@code n} stands at {@link TickRate#nanosAt rate.nanosAt(n)}. A running piece has an origin, a
 * tick and the instant that tick was due, and a pace, the ticks in a second of the clock, which is the rate times the scale. The due time
 * of every other tick is computed from its distance to that origin. Skipping {@code m} ticks moves the origin back by {@code m} ticks at
 * the same instant, so the phase of the deadlines is kept exactly.
 *
 * <p><b>Threads.</b> Not thread-safe. The physics thread owns one and changes it; the handoff copies it when it has changed, and readers
 * may only read the copy. Only the newest {@value #CAPACITY} pieces are kept; instants before them are mapped to the start of the oldest.
 *
 * @see dev.escapement.state.exchange.Window
 */
public final class Timeline {

    /** The number of pieces kept: 8 pauses or skips, many more than fit into the few ticks of the readers' interpolation delay. */
    static final int CAPACITY = 16;

    private final TickRate rate;
    private final long[] startNanos = new long[CAPACITY];
    private final long[] startTick = new long[CAPACITY];
    private final long[] originNanos = new long[CAPACITY];
    private final long[] originTick = new long[CAPACITY];
    private final TickRate[] pace = new TickRate[CAPACITY];
    private final TimeScale[] scale = new TimeScale[CAPACITY];
    private final boolean[] flat = new boolean[CAPACITY];
    private int pieces;
    private long version;
    private @Nullable Timeline copied;

    /**
     * Creates a timeline that has not started.
     *
     * @param rate the rate of the ticks
     */
    public Timeline(TickRate rate) {
        this.rate = rate;
    }

    /**
     * The rate of the ticks.
     *
     * @return ticks per second of simulated time
     */
    public TickRate rate() {
        return rate;
    }

    /**
     * Starts simulated time. Only its owner may call this, once.
     *
     * @param nanos the clock at tick 0
     * @throws IllegalStateException if it has started before
     */
    public void start(long nanos) {
        startAt(0, nanos, TimeScale.ONE);
    }

    /**
     * Starts simulated time at a given tick, for example where another timeline has ended. Only its owner may call this, once.
     *
     * @param tick     the tick from which time runs
     * @param nanos    the clock at that tick
     * @param newScale the speed
     * @throws IllegalArgumentException if the rate times the scale is beyond what a {@link TickRate} can be
     * @throws IllegalStateException    if it has started before
     */
    public void startAt(long tick, long nanos, TimeScale newScale) {
        if (pieces != 0) {
            throw new IllegalStateException("this timeline has started before, at " + startNanos[0] + " ns");
        }
        append(nanos, tick, nanos, tick, newScale, newScale.times(rate));
    }

    /**
     * Forgets what was before a tick, and continues simulated time from there, also if that is ahead of it: then time jumps for readers.
     * For timelines that follow another one. Only the owner may call this.
     *
     * @param tick     the tick
     * @param nanos    when it was due
     * @param newScale the speed
     * @throws IllegalArgumentException if the rate times the scale is beyond what a {@link TickRate} can be
     */
    public void restartAt(long tick, long nanos, TimeScale newScale) {
        TickRate newPace = newScale.times(rate);
        pieces = 0;
        append(nanos, tick, nanos, tick, newScale, newPace);
    }

    /**
     * Skips time: simulated time stands still from the moment a tick was due for a number of periods. Only the owner
     * may call this.
     *
     * @param lastTick the tick at which time stands still
     * @param ticks    how many deadlines are skipped, at least 1
     * @throws IllegalArgumentException if {@code ticks} is not positive
     * @throws IllegalStateException    if simulated time stands still
     */
    public void skip(long lastTick, long ticks) {
        if (ticks < 1) {
            throw new IllegalArgumentException("cannot skip " + ticks + " ticks after tick " + lastTick);
        }
        int newest = requireRunning("skip time");
        long nanos = originNanos[newest];
        long tick = originTick[newest] - ticks;
        TickRate samePace = pace[newest];
        TimeScale sameScale = scale[newest];
        appendFlat(dueNanos(lastTick), lastTick);
        append(nanos + samePace.nanosAt(lastTick - tick), lastTick, nanos, tick, sameScale, samePace);
    }

    /**
     * Skips time without keeping the phase: simulated time stands still from the moment a tick was due until an instant.
     * Only the owner may call this.
     *
     * @param lastTick the tick at which time stands still
     * @param nanos    when it resumes, not before that tick was due
     */
    public void skipUntil(long lastTick, long nanos) {
        int newest = requireRunning("skip time");
        TickRate samePace = pace[newest];
        TimeScale sameScale = scale[newest];
        appendFlat(dueNanos(lastTick), lastTick);
        append(nanos, lastTick, nanos, lastTick, sameScale, samePace);
    }

    /**
     * Changes the speed from the moment a tick is due. Only the owner may call this.
     *
     * @param tick     the tick
     * @param newScale the speed from then on
     * @throws IllegalArgumentException if the rate times the scale is beyond what a {@link TickRate} can be
     */
    public void scale(long tick, TimeScale newScale) {
        requireRunning("change the scale");
        long nanos = dueNanos(tick);
        append(nanos, tick, nanos, tick, newScale, newScale.times(rate));
    }

    /**
     * Lets simulated time stand still from the moment a tick was due. Only the owner may call this.
     *
     * @param lastTick the tick at which time stands still
     */
    public void pause(long lastTick) {
        requireRunning("pause");
        appendFlat(dueNanos(lastTick), lastTick);
    }

    /**
     * Resumes simulated time at an instant. Only the owner may call this.
     *
     * @param nanos    the instant
     * @param newScale the speed from then on
     * @throws IllegalArgumentException if the rate times the scale is beyond what a {@link TickRate} can be
     * @throws IllegalStateException    if time does not stand still
     */
    public void resume(long nanos, TimeScale newScale) {
        if (!isPaused()) {
            throw new IllegalStateException("simulated time can be resumed only while it stands still");
        }
        long tick = startTick[pieces - 1];
        append(nanos, tick, nanos, tick, newScale, newScale.times(rate));
    }

    /**
     * Whether simulated time is paused.
     *
     * @return whether it was paused and not resumed
     */
    public boolean isPaused() {
        return pieces > 0 && flat[pieces - 1];
    }

    /**
     * The tick from which due times are computed now: a timeline started at this tick, {@link #originNanos} and speed has the same.
     *
     * @return a tick; while simulated time stands still, the one at which it does
     * @throws IllegalStateException if the timeline has not started
     */
    public long originTick() {
        return originTick[requireStarted()];
    }

    /**
     * When {@link #originTick} was due.
     *
     * @return the clock's nanoseconds
     * @throws IllegalStateException if the timeline has not started
     */
    public long originNanos() {
        return originNanos[requireStarted()];
    }

    private int requireStarted() {
        if (pieces == 0) {
            throw new IllegalStateException("this timeline has not started");
        }
        return pieces - 1;
    }

    /**
     * When a tick is due, unless the timeline changes before.
     *
     * @param tick the number of a tick, not before the start of the newest piece
     * @return the clock's nanoseconds
     * @throws IllegalStateException if the timeline has not started
     */
    public long dueNanos(long tick) {
        if (pieces == 0) {
            throw new IllegalStateException("tick " + tick + " is never due: this timeline has not started");
        }
        int newest = pieces - 1;
        return originNanos[newest] + pace[newest].nanosAt(tick - originTick[newest]);
    }

    /**
     * When simulated time leaves a tick: when the tick is due, or later if time stood still at it.
     *
     * @param tick the number of a tick
     * @return the clock's nanoseconds; during a pause at this tick, when the tick was due; for ticks before the oldest piece, the start of
     *     that piece
     */
    public long resumeNanos(long tick) {
        for (int piece = pieces - 1; piece >= 0; piece--) {
            if (!flat[piece] && startTick[piece] <= tick) {
                return originNanos[piece] + pace[piece].nanosAt(tick - originTick[piece]);
            }
        }
        return startNanos[0];
    }

    /**
     * The inverse of {@link #dueNanos}: the last tick that was due strictly before an instant.
     *
     * @param nanos an instant of the clock, not before the start of the newest piece
     * @return the largest tick with {@code dueNanos(tick) < nanos}
     * @throws IllegalStateException if the timeline has not started
     */
    public long lastTickDueBefore(long nanos) {
        if (pieces == 0) {
            throw new IllegalStateException("no tick was ever due: this timeline has not started");
        }
        int newest = pieces - 1;
        return originTick[newest] + pace[newest].tickAt(nanos - 1 - originNanos[newest]);
    }

    /**
     * Simulated time at an instant.
     *
     * @param nanos an instant of the clock
     * @return nanoseconds of simulated time since tick 0; for an instant before the oldest piece, the start of that piece
     * @throws IllegalStateException if the timeline has not started
     */
    public long simNanosAt(long nanos) {
        if (pieces == 0) {
            throw new IllegalStateException("there is no simulated time yet: this timeline has not started");
        }
        int piece = pieces - 1;
        while (piece > 0 && nanos - startNanos[piece] < 0) {
            piece--;
        }
        long atStart = rate.nanosAt(startTick[piece]);
        if (flat[piece]) {
            return atStart;
        }
        // The origin's simulated time is rounded down, so the line may lie up to 1 ns below the piece's start.
        return Math.max(atStart, rate.nanosAt(originTick[piece]) + scale[piece].simNanos(nanos - originNanos[piece]));
    }

    /**
     * Whether an instant lies within the pieces that are kept, so that {@link #simNanosAt} is exact there.
     *
     * @param nanos an instant of the clock
     * @return false if it lies before the oldest piece
     */
    public boolean remembers(long nanos) {
        return pieces > 0 && nanos - startNanos[0] >= 0;
    }

    /**
     * Visits the pieces that are kept, the oldest first, for readers that cannot use this object, for example in another process.
     *
     * @param visitor is called for each piece
     */
    public void pieces(PieceVisitor visitor) {
        for (int piece = 0; piece < pieces; piece++) {
            long startSimNanos = rate.nanosAt(startTick[piece]);
            if (flat[piece]) {
                visitor.piece(startNanos[piece], startSimNanos, 0, 1);
            } else {
                visitor.piece(startNanos[piece], startSimNanos, scale[piece].numerator(), scale[piece].denominator());
            }
        }
    }

    /** Receives the pieces of a timeline. */
    @FunctionalInterface
    public interface PieceVisitor {

        /**
         * Called for each piece. From its start to the start of the next piece simulated time advances by {@code numerator} nanoseconds in
         * {@code denominator} nanoseconds of the clock, within 1 ns of {@link Timeline#simNanosAt}.
         *
         * @param startNanos    the instant at which the piece starts
         * @param startSimNanos simulated time at that instant, nanoseconds since tick 0
         * @param numerator     simulated nanoseconds, 0 where time stands still
         * @param denominator   nanoseconds of the clock
         */
        void piece(long startNanos, long startSimNanos, long numerator, long denominator);
    }

    /**
     * The version of this timeline: it increases with every change.
     *
     * @return a number that grows with every change
     */
    public long changes() {
        return version;
    }

    /**
     * Copies another timeline of the same rate, without allocating. If nothing has changed since the last copy, this is one comparison.
     *
     * @param other the timeline to copy
     */
    public void copyFrom(Timeline other) {
        if (version == other.version && copied == other) {
            return;
        }
        copied = other;
        System.arraycopy(other.startNanos, 0, startNanos, 0, other.pieces);
        System.arraycopy(other.startTick, 0, startTick, 0, other.pieces);
        System.arraycopy(other.originNanos, 0, originNanos, 0, other.pieces);
        System.arraycopy(other.originTick, 0, originTick, 0, other.pieces);
        System.arraycopy(other.pace, 0, pace, 0, other.pieces);
        System.arraycopy(other.scale, 0, scale, 0, other.pieces);
        System.arraycopy(other.flat, 0, flat, 0, other.pieces);
        pieces = other.pieces;
        version = other.version;
    }

    private int requireRunning(String what) {
        if (pieces == 0 || flat[pieces - 1]) {
            throw new IllegalStateException("cannot " + what + " while simulated time stands still");
        }
        return pieces - 1;
    }

    private void appendFlat(long start, long tick) {
        append(start, tick, start, tick, TimeScale.ONE, rate);
        flat[pieces - 1] = true;
    }

    private void append(
            long start, long tick, long originAtNanos, long originAtTick, TimeScale newScale, TickRate newPace) {
        if (pieces > 0 && startNanos[pieces - 1] == start) {
            pieces--; // replaces a piece of length 0
        } else if (pieces == CAPACITY) {
            forgetOldest();
        }
        startNanos[pieces] = start;
        startTick[pieces] = tick;
        originNanos[pieces] = originAtNanos;
        originTick[pieces] = originAtTick;
        scale[pieces] = newScale;
        pace[pieces] = newPace;
        flat[pieces] = false;
        pieces++;
        version++;
    }

    private void forgetOldest() {
        System.arraycopy(startNanos, 1, startNanos, 0, CAPACITY - 1);
        System.arraycopy(startTick, 1, startTick, 0, CAPACITY - 1);
        System.arraycopy(originNanos, 1, originNanos, 0, CAPACITY - 1);
        System.arraycopy(originTick, 1, originTick, 0, CAPACITY - 1);
        System.arraycopy(pace, 1, pace, 0, CAPACITY - 1);
        System.arraycopy(scale, 1, scale, 0, CAPACITY - 1);
        System.arraycopy(flat, 1, flat, 0, CAPACITY - 1);
        pieces--;
    }

    @Override
    public String toString() {
        return "Timeline[" + rate + ", " + pieces + " pieces, started "
                + Arrays.toString(Arrays.copyOf(startNanos, pieces)) + " ns]";
    }
}
