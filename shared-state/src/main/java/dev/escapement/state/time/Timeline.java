package dev.escapement.state.time;

import java.util.Arrays;

/**
 * Maps the monotonic clock to simulated time: a piecewise linear function that never decreases.
 *
 * <p>The time scale is its slope; it is flat during pauses and skips. It is continuous, except where a pause moves to the next tick, and
 * where a replica restarts. The timeline keeps the newest {@value #CAPACITY} pieces; it maps instants before them to the start of the
 * oldest. If a pause has more of them, the timeline keeps the first, and some before it.
 *
 * <p>Simulated time is in nanoseconds too: tick {@code n} stands at {@link TickRate#nanosAt rate.nanosAt(n)}. A running piece has an origin
 * (a tick, and the instant that this tick was due) and a pace (the ticks per second of the clock: the rate times the scale). Every
 * other tick's due time follows from its distance to the origin. Skipping {@code m} ticks moves the origin back by {@code m} ticks at the
 * same instant, which keeps the phase of the deadlines exactly. A piece that starts within a tick has its origin at the next one, so that
 * due times do not add up what simulated time is rounded by.
 *
 * <p><b>Threads.</b> Not thread-safe. The physics thread owns one and makes all changes; the exchange copies a changed timeline, and
 * readers only read the copy. No change allocates, except of the scale.
 */
public final class Timeline {

    /**
     * The number of pieces kept: enough for 8 pauses or skips, or for 15 ticks if the speed changes with every tick. The readers'
     * interpolation delay, a few ticks, needs fewer.
     */
    static final int CAPACITY = 16;

    private final TickRate rate;

    /** The oldest first. The timeline reuses the objects. */
    private final Piece[] pieces = new Piece[CAPACITY];

    private int count;
    private long version;

    /**
     * Creates a timeline that has not started.
     *
     * @param rate the rate of the ticks
     */
    public Timeline(TickRate rate) {
        this.rate = rate;
        Arrays.setAll(pieces, i -> new Piece(rate));
    }

    /** {@return the rate of the ticks} */
    public TickRate rate() {
        return rate;
    }

    /**
     * Starts simulated time, once.
     *
     * @param nanos the clock at tick 0
     * @throws IllegalStateException if it has started before
     */
    public void start(long nanos) {
        startAt(0, nanos, TimeScale.ONE);
    }

    /**
     * Starts simulated time at a given tick, once, for example where another timeline has ended.
     *
     * @param tick     the first tick
     * @param nanos    the clock at that tick
     * @param newScale the speed
     * @throws IllegalArgumentException if the rate times the scale is no {@link TickRate}
     * @throws IllegalStateException    if it has started before
     */
    public void startAt(long tick, long nanos, TimeScale newScale) {
        if (count != 0) {
            throw new IllegalStateException("this timeline has started before, at " + pieces[0].startNanos + " ns");
        }
        append(nanos, tick, newScale, newScale.times(rate));
    }

    /**
     * Drops all pieces, and continues simulated time from a tick. If that tick is ahead of simulated time, time jumps for readers. For
     * timelines that replicate another one.
     *
     * @param tick     the tick
     * @param nanos    when it was due
     * @param newScale the speed
     * @throws IllegalArgumentException if the rate times the scale is no {@link TickRate}
     */
    public void restartAt(long tick, long nanos, TimeScale newScale) {
        TickRate newPace = newScale.times(rate);
        count = 0;
        append(nanos, tick, newScale, newPace);
    }

    /**
     * Skips deadlines: simulated time stands still for a number of periods from the moment a tick was due.
     *
     * @param lastTick the tick at which time stands still
     * @param ticks    the number of skipped deadlines, at least 1
     * @throws IllegalArgumentException if {@code ticks} is not positive
     * @throws IllegalStateException    if simulated time stands still
     */
    public void skip(long lastTick, long ticks) {
        if (ticks < 1) {
            throw new IllegalArgumentException("cannot skip " + ticks + " ticks after tick " + lastTick);
        }
        Piece newest = requireRunning("skip time");
        long originNanos = newest.originNanos;
        long originTick = newest.originTick - ticks;
        skipUntil(lastTick, originNanos + newest.pace.nanosAt(lastTick - originTick));
        pieces[count - 1].originNanos = originNanos;
        pieces[count - 1].originTick = originTick;
    }

    /**
     * Skips time without keeping the phase: simulated time stands still from the moment a tick was due until an instant.
     *
     * @param lastTick the tick at which time stands still
     * @param nanos    when it resumes, not before that tick was due
     * @throws IllegalStateException if simulated time stands still
     */
    public void skipUntil(long lastTick, long nanos) {
        Piece newest = requireRunning("skip time");
        TimeScale sameScale = newest.scale;
        TickRate samePace = newest.pace;
        pause(lastTick);
        append(nanos, lastTick, sameScale, samePace);
    }

    /**
     * Changes the speed from the moment a tick is due.
     *
     * @param tick     the tick
     * @param newScale the new speed
     * @throws IllegalArgumentException if the rate times the scale is no {@link TickRate}
     * @throws IllegalStateException    if simulated time stands still
     */
    public void changeScale(long tick, TimeScale newScale) {
        changeScale(tick, newScale, newScale.times(rate));
    }

    /**
     * Changes the speed as {@link #changeScale(long, TimeScale)} does, without allocating.
     *
     * @param tick     the tick
     * @param newScale the new speed
     * @param newPace  {@code newScale.times(rate())}, computed before
     * @throws IllegalStateException if simulated time stands still
     */
    public void changeScale(long tick, TimeScale newScale, TickRate newPace) {
        append(dueNanos(requireRunning("change the scale"), tick), tick, newScale, newPace);
    }

    /**
     * Changes the speed within a tick. The next tick is due when the rest of simulated time until then has passed at the new speed.
     *
     * @param nanos    the instant, not before the start of the newest piece
     * @param nextTick the tick that is due next at that instant
     * @param newScale the new speed
     * @throws IllegalArgumentException if the rate times the scale is no {@link TickRate}
     * @throws IllegalStateException    if simulated time stands still
     */
    public void changeScaleWithin(long nanos, long nextTick, TimeScale newScale) {
        TickRate newPace = newScale.times(rate);
        Piece newest = requireRunning("change the scale");
        long restNanos = dueNanos(newest, nextTick) - nanos;
        append(nanos, simNanosAt(nanos), nextTick, newest.scale.convert(restNanos, newScale), newScale, newPace);
    }

    /**
     * Stops simulated time within a tick. It stands within the tick, until {@link #resume} or {@link #standAtNextTick}.
     *
     * @param nanos    the instant, not before the start of the newest piece
     * @param nextTick the tick that is due next at that instant
     * @throws IllegalStateException if simulated time stands still
     */
    public void pauseWithin(long nanos, long nextTick) {
        Piece newest = requireRunning("pause");
        // At the speed before: the rest in simulated nanoseconds would be rounded too much for slow motion.
        long restNanos = dueNanos(newest, nextTick) - nanos;
        append(nanos, simNanosAt(nanos), nextTick, restNanos, newest.scale, newest.pace);
        pieces[count - 1].isFlat = true;
    }

    /**
     * Stops simulated time from the moment a tick was due.
     *
     * @param lastTick the tick at which time stands still
     * @throws IllegalStateException if simulated time stands still
     */
    public void pause(long lastTick) {
        append(dueNanos(requireRunning("pause"), lastTick), lastTick, TimeScale.ONE, rate);
        pieces[count - 1].isFlat = true;
    }

    /**
     * Moves the pause to the next tick, which the service publishes without a step. Time moves at once, but not before readers, who are one
     * tick behind simulated time, have shown the moment at which the pause began.
     *
     * @param nanos the clock now
     * @return when the tick is due: now, or at most one tick after the pause began
     * @throws IllegalStateException if simulated time does not stand still
     */
    public long standAtNextTick(long nanos) {
        if (!isPaused()) {
            throw new IllegalStateException("simulated time can stand at another tick only while it stands still");
        }
        long shownNanos = pieces[firstOfPause()].startNanos + rate.nanosAt(1);
        long dueNanos = Math.max(nanos, Math.max(shownNanos, newest().startNanos));
        append(dueNanos, newest().originTick + (isWithinTick(newest()) ? 0 : 1), TimeScale.ONE, rate);
        pieces[count - 1].isFlat = true;
        return dueNanos;
    }

    private int firstOfPause() {
        int first = count - 1;
        while (first > 0 && pieces[first - 1].isFlat) {
            first--;
        }
        return first;
    }

    /**
     * {@return how long simulated time has stood still at one tick, at an instant of the current pause} 0 before the pause, while time
     * stands within a tick, and while time runs.
     *
     * @param nanos an instant of the clock
     */
    public long pausedNanosAt(long nanos) {
        for (int i = count - 1; i >= 0 && pieces[i].isFlat; i--) {
            if (nanos - pieces[i].startNanos >= 0) {
                return isWithinTick(pieces[i]) ? 0 : nanos - pieces[i].startNanos;
            }
        }
        return 0;
    }

    /**
     * Resumes simulated time at an instant.
     *
     * @param nanos    the instant
     * @param newScale the new speed
     * @throws IllegalArgumentException if the rate times the scale is no {@link TickRate}
     * @throws IllegalStateException    if simulated time does not stand still
     */
    public void resume(long nanos, TimeScale newScale) {
        if (!isPaused()) {
            throw new IllegalStateException("simulated time can be resumed only while it stands still");
        }
        TickRate newPace = newScale.times(rate);
        Piece paused = newest();
        long restNanos = paused.scale.convert(paused.originNanos - paused.startNanos, newScale);
        append(nanos, paused.startSimNanos, paused.originTick, restNanos, newScale, newPace);
    }

    /** {@return whether simulated time was paused and not resumed} */
    public boolean isPaused() {
        return count > 0 && newest().isFlat;
    }

    /**
     * {@return when the newest piece starts, an instant of the clock: when time changed, stopped or resumed last}
     *
     * @throws IllegalStateException if the timeline has not started
     */
    public long startNanos() {
        return newest().startNanos;
    }

    /**
     * {@return the tick of the origin: a timeline started with this tick, {@link #originNanos} and the speed has the same due times} While
     * simulated time stands still, the tick at which it stands, or the next one if it stands within a tick.
     *
     * @throws IllegalStateException if the timeline has not started
     */
    public long originTick() {
        return newest().originTick;
    }

    /**
     * {@return when {@link #originTick} was due, an instant of the clock}
     *
     * @throws IllegalStateException if the timeline has not started
     */
    public long originNanos() {
        return newest().originNanos;
    }

    /**
     * {@return when a tick is due if the timeline does not change: an instant of the clock}
     *
     * @param tick the number of a tick, not before the start of the newest piece
     * @throws IllegalStateException if the timeline has not started
     */
    public long dueNanos(long tick) {
        return dueNanos(newest(), tick);
    }

    /**
     * {@return when simulated time leaves a tick: its due time, or later if time stood still at it or before the next} During a pause at
     * this tick, its due time; for ticks before the oldest piece, the start of that piece.
     *
     * @param tick the number of a tick
     */
    public long resumeNanos(long tick) {
        for (int i = count - 1; i >= 0; i--) {
            if (pieces[i].isFlat && pieces[i].startSimNanos < rate.nanosAt(tick + 1)) {
                return pieces[Math.min(i + 1, count - 1)].startNanos;
            }
            if (pieces[i].startSimNanos <= rate.nanosAt(tick)) {
                return dueNanos(pieces[i], tick);
            }
        }
        return pieces[0].startNanos;
    }

    /**
     * {@return the last tick that was due strictly before an instant: the largest one with {@code dueNanos(tick) < nanos}}
     *
     * @param nanos an instant of the clock, not before the start of the newest piece
     * @throws IllegalStateException if the timeline has not started
     */
    public long lastTickDueBefore(long nanos) {
        Piece newest = newest();
        return newest.originTick + newest.pace.tickAt(nanos - 1 - newest.originNanos);
    }

    /**
     * {@return nanoseconds of simulated time since tick 0 at an instant; for one before the oldest piece, the start of that piece}
     *
     * @param nanos an instant of the clock
     * @throws IllegalStateException if the timeline has not started
     */
    public long simNanosAt(long nanos) {
        Piece piece = newest();
        for (int i = count - 2; i >= 0 && nanos - piece.startNanos < 0; i--) {
            piece = pieces[i];
        }
        // The origin's simulated time is rounded down, so the value at a piece's start could be up to 1 ns less than at
        // the end of the piece before.
        return piece.isFlat
                ? piece.startSimNanos
                : Math.max(
                        piece.startSimNanos,
                        rate.nanosAt(piece.originTick) + piece.scale.simNanos(nanos - piece.originNanos));
    }

    /**
     * {@return whether an instant lies within the kept pieces, where {@link #simNanosAt} is exact, except within a long pause}
     *
     * @param nanos an instant of the clock
     */
    public boolean remembers(long nanos) {
        return count > 0 && nanos - pieces[0].startNanos >= 0;
    }

    /**
     * Visits the kept pieces, the oldest first, for readers in another process, for example.
     *
     * @param visitor is called for each piece
     */
    public void pieces(PieceVisitor visitor) {
        for (int i = 0; i < count; i++) {
            Piece piece = pieces[i];
            long numerator = piece.isFlat ? 0 : piece.scale.numerator();
            visitor.piece(piece.startNanos, piece.startSimNanos, numerator, piece.scale.denominator());
        }
    }

    /** Receives the pieces of a timeline. */
    @FunctionalInterface
    public interface PieceVisitor {

        /**
         * Called for each piece. From its start to the start of the next piece, simulated time advances by {@code numerator} nanoseconds in
         * {@code denominator} nanoseconds of the clock. That is within 2 ns of {@link Timeline#simNanosAt}, or within half the
         * scale if the piece starts within a tick.
         *
         * @param startNanos    the instant at which the piece starts
         * @param startSimNanos simulated time at that instant, nanoseconds since tick 0
         * @param numerator     simulated nanoseconds, 0 where time stands still
         * @param denominator   nanoseconds of the clock
         */
        void piece(long startNanos, long startSimNanos, long numerator, long denominator);
    }

    /** {@return the version of this timeline, which every change increments} */
    public long changes() {
        return version;
    }

    /**
     * Copies another timeline of the same rate. Allocates nothing.
     *
     * @param other the timeline to copy
     */
    public void copyFrom(Timeline other) {
        count = other.count;
        for (int i = 0; i < count; i++) {
            pieces[i].copyFrom(other.pieces[i]);
        }
        version = other.version;
    }

    private static long dueNanos(Piece piece, long tick) {
        return piece.originNanos + piece.pace.nanosAt(tick - piece.originTick);
    }

    /** Returns whether a flat piece stands within a tick. */
    private static boolean isWithinTick(Piece piece) {
        return piece.originNanos != piece.startNanos;
    }

    private Piece newest() {
        if (count == 0) {
            throw new IllegalStateException("this timeline has not started");
        }
        return pieces[count - 1];
    }

    private Piece requireRunning(String what) {
        if (count == 0 || newest().isFlat) {
            throw new IllegalStateException("cannot " + what + " while simulated time stands still");
        }
        return newest();
    }

    private void append(long startNanos, long startTick, TimeScale scale, TickRate pace) {
        append(startNanos, rate.nanosAt(startTick), startTick, 0, scale, pace);
    }

    /** Appends a piece. Its origin is the tick that is due {@code restNanos} after the start. */
    private void append(
            long startNanos, long startSimNanos, long originTick, long restNanos, TimeScale scale, TickRate pace) {
        if (count > 0 && newest().startNanos == startNanos) {
            count--; // replaces a piece of length 0
        } else if (count == CAPACITY) {
            // A long pause keeps its start, on which due times depend, and loses the oldest of its later pieces.
            int dropped = newest().isFlat && firstOfPause() < CAPACITY / 2 ? firstOfPause() + 1 : 0;
            Piece reused = pieces[dropped];
            System.arraycopy(pieces, dropped + 1, pieces, dropped, CAPACITY - 1 - dropped);
            pieces[CAPACITY - 1] = reused;
            count--;
        }
        Piece piece = pieces[count];
        piece.startNanos = startNanos;
        piece.startSimNanos = startSimNanos;
        piece.originNanos = startNanos + restNanos;
        piece.originTick = originTick;
        piece.scale = scale;
        piece.pace = pace;
        piece.isFlat = false;
        count++;
        version++;
    }

    @Override
    public String toString() {
        return "Timeline[" + rate + ", started "
                + Arrays.stream(pieces, 0, count).map(piece -> piece.startNanos).toList() + " ns]";
    }

    private static final class Piece {

        private long startNanos;
        private long startSimNanos;
        private long originNanos;
        private long originTick;
        private TimeScale scale = TimeScale.ONE;
        private TickRate pace;
        private boolean isFlat;

        Piece(TickRate pace) {
            this.pace = pace;
        }

        void copyFrom(Piece other) {
            startNanos = other.startNanos;
            startSimNanos = other.startSimNanos;
            originNanos = other.originNanos;
            originTick = other.originTick;
            scale = other.scale;
            pace = other.pace;
            isFlat = other.isFlat;
        }
    }
}
