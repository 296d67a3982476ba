package dev.escapement.physics.host;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.slice.SlicedRun;
import dev.escapement.physics.slice.TickHost;
import dev.escapement.state.internal.ThreadEnd;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * State of one world on the threads of a host: its home worker, whether a worker runs its slice now, and the cost of its slices.
 *
 * <pre>{@code
 * if (seat.claim(home, me)) {        // no other worker runs its slice now
 *     long nextNanos = seat.ticks.runSlice(times);
 *     ...                            // only here the slice changes the world
 *     seat.release(me);              // its home is this worker now
 * }
 * }</pre>
 *
 * <p><b>Assumptions</b>
 * <ol>
 *   <li>A worker releases each seat that it has claimed, unless the worker is lost within the slice. Then the world has failed, and the
 *       seat ends.
 * </ol>
 * <b>Guarantees</b>, with their tests in {@code SeatTest} and {@code PhysicsHostTest}
 * <ol>
 *   <li>At most one worker has claimed the seat. ({@code shouldBeClaimedByOne})
 *   <li>The worker that claims the seat sees all writes of earlier slices.
 *   <li>After a signal a slice begins that sees all writes before the signal. ({@code shouldTurnAgainAfterASignalWithinItsTurn})
 * </ol>
 * <b>Progress</b>: wait-free; {@link #signal()} is lock-free; the first and the last slice take the lock of the crew; {@link #awaitEnd}
 * waits.
 */
final class Seat implements TickHost {

    static final long NOT_QUEUED = Long.MIN_VALUE;

    /** A due time that never comes: only a signal ends the wait for a slice. */
    static final long NEVER = Long.MAX_VALUE;

    /**
     * The part of a core that a world over its budget must exceed to be a rogue. A smaller world over its budget delays other worlds
     * little: it is one of many, or has just begun.
     */
    private static final double ROGUE_CORES = 0.25;

    /** Bounds the need of a world, as a multiple of its budget, so that a world that needs more still ticks now and then. */
    private static final double MAX_TIMES = 100;

    /** The number of slices within which two long ones count; a single one may be a garbage collection. */
    private static final int WINDOW = 64;

    private static final int NEW = -1;
    private static final int ENDED = -2;

    final SlicedRun ticks;
    final double weight;
    private final Crew crew;

    /** NEW, ENDED, or twice the number of the home worker, plus one while a worker runs the slice. */
    // claim() acquires the writes that release() and start() release.
    private final AtomicInteger place = new AtomicInteger(NEW);

    /** The due time of the next slice. The worker that has claimed the seat writes it; others read it as a hint (opaque). */
    private final AtomicLong nextNanos = new AtomicLong(NEVER);

    /** Whether the seat is in an inbox. */
    // A signal calls getAndSet(true), and a slice begins with getAndSet(false): either the slice sees the writes before
    // the signal, or the signal offers the seat again.
    private final AtomicBoolean signalled = new AtomicBoolean();

    /** The next seat in the inbox. Plain: the inbox publishes it. */
    @Nullable
    Seat nextSignalled;

    /** Counts the seat's entries in heaps; all but the newest are void. Only for the worker that has claimed the seat. */
    int ticket;

    /**
     * The instant of the seat's entry in the heap of the worker {@link #isQueuedBy}, or {@link #NOT_QUEUED}. Only for the worker that has
     * claimed the seat.
     */
    long isQueuedAt = NOT_QUEUED;

    int isQueuedBy;

    /**
     * Whether the seat has had a slice. From then on a simulation that is not movable stays on its thread. Only a hint for threads that
     * have not claimed the seat.
     */
    private final AtomicBoolean begun = new AtomicBoolean();

    // HostWatch writes the next two fields, and all threads read them (opaque). They order no other accesses.

    /** The delay of this world's deadlines, because it is over its budget; 0 if it is not. */
    private final AtomicLong behindNanos = new AtomicLong();

    /** Whether the world is over its budget, and needs more than {@link #ROGUE_CORES}. */
    private final AtomicBoolean isRogue = new AtomicBoolean();

    // Only for the worker that has claimed the seat: the longest slice of this window and of the last one, and the
    // number of slices in this one.
    private long longestNanos;
    private long longestBeforeNanos;
    private int slices;

    // The worker that has claimed the seat writes the next four fields, and any thread reads them (opaque). They order
    // no other accesses.
    private final AtomicLong costNanos = new AtomicLong();
    private final AtomicLong missedDeadlines = new AtomicLong();
    private final AtomicLong slackNanos = new AtomicLong();
    private final AtomicLong periodNanos = new AtomicLong();

    // Volatile: the worker writes it, and the watchdog reads it.
    private volatile boolean isEnding;

    private final CountDownLatch end = new CountDownLatch(1);

    /** The world's service. Set after it was built, before it starts. */
    @SuppressWarnings("NullAway.Init")
    PhysicsService service;

    @Nullable
    Object simulation;

    /** The seat's index in the crew's list. Guarded by the crew. */
    int index;

    Seat(Crew crew, SlicedRun ticks, double weight) {
        this.crew = crew;
        this.ticks = ticks;
        this.weight = weight;
    }

    // ---- methods for the service

    @Override
    public long startNanos(long newPeriodNanos) {
        periodNanos.setOpaque(newPeriodNanos);
        return crew.startNanos(this, newPeriodNanos);
    }

    @Override
    public long earlyNanos() {
        return crew.earlyNanos();
    }

    @Override
    public void start() {
        if (crew.stopped) { // the exception lets the service close its simulation on the calling thread
            throw new IllegalStateException("this host was closed, and has no threads any more; make another host");
        }
        place.setRelease(2 * crew.newHome()); // release: pairs with the acquire in claim()
        signal();
    }

    /** Puts the seat into the inbox of its home, unless it is in an inbox. */
    @Override
    public void signal() {
        if (!signalled.getAndSet(true)) {
            offer();
        }
    }

    /** Puts the seat into the inbox of its current home. The caller has set {@link #signalled}. */
    void offer() {
        Inbox inbox = null;
        try {
            int home = place.getAcquire();
            if (home >= 0) {
                Inbox ofHome = crew.inboxes[crew.slotOf(home / 2)];
                ofHome.add(this);
                inbox = ofHome;
            }
        } finally {
            if (inbox == null) {
                signalled.getAndSet(false); // no home, or a stack overflow: the next signal offers the seat again
            }
        }
        if (inbox != null) {
            inbox.wake();
        } else if (place.getAcquire() >= 0) { // start() ran meanwhile, and its own signal did nothing
            signal();
        }
    }

    @Override
    public void cancel() {
        signal();
    }

    @Override
    public void beforeClose() {
        isEnding = true;
    }

    /**
     * Calls the handler on a separate thread, because the handler may hang, and after the end of the world, because it may add a world of
     * the same name.
     */
    @Override
    public void callHandler(Runnable handler) {
        Runnable afterEnd = () -> {
            awaitEnd(Crew.MAX_END_NANOS);
            handler.run();
        };
        crew.newThread(afterEnd, "escapement-host-handler").start();
    }

    /** Whether the last slice runs. Closing the simulation in it may take long, so the watchdog does not measure it. */
    boolean isEnding() {
        return isEnding;
    }

    @Override
    public void abandoned() {
        int home = home();
        if (end()) { // false if the worker has returned meanwhile, and ended the seat
            crew.orphan(home, whyLost());
        }
    }

    String whyLost() {
        return "hangs in world '" + ticks.world().name() + "'";
    }

    /**
     * Fails the world in place of its lost worker. Only for the thread that has claimed the seat, or after the claiming thread has ended.
     */
    void orphan(String why) {
        try {
            ticks.orphan(why);
        } finally {
            end();
        }
    }

    @Override
    public boolean isCaller() {
        return crew.isCaller();
    }

    @Override
    public boolean awaitEnd(long maxNanos) {
        return ThreadEnd.await(end, maxNanos);
    }

    // ---- methods for the workers

    /** Claims the seat for a slice of worker {@code me}, if it is free and its home is {@code home}. */
    boolean claim(int home, int me) {
        return place.compareAndSet(2 * home, 2 * me + 1);
    }

    /** Releases the seat, and makes {@code home} its home. */
    void release(int home) {
        place.setRelease(2 * home); // release: pairs with the acquire in claim()
    }

    /** Clears the signal before a slice. The slice sees all writes that were made before earlier signals. */
    void clearSignal() {
        signalled.getAndSet(false); // not set(), because it must acquire what signal() releases
    }

    boolean mayBeAdopted() {
        return ticks.world().mayMove() || !begun.getOpaque();
    }

    void begin() {
        begun.setOpaque(true);
    }

    /** Returns the number of the home worker; negative if the seat is new or has ended. */
    int home() {
        return place.getAcquire() >> 1;
    }

    /** Ends the seat, after its last slice or because its worker is lost in that slice. Returns false if the seat has ended before. */
    boolean end() {
        return ended(place.getAndSet(ENDED) != ENDED);
    }

    void endUnlessStarted() {
        ended(place.compareAndSet(NEW, ENDED));
    }

    private boolean ended(boolean first) {
        if (first) {
            crew.ended(this);
            end.countDown();
        }
        return first;
    }

    long nextNanos() {
        return nextNanos.getOpaque();
    }

    /** Sets the due time of the first slice, before the seat starts. */
    void wantsSliceAt(long nanos) {
        nextNanos.setOpaque(nanos);
    }

    /**
     * Whether the seat has no slice now, no pending signal, and its next tick is due later than {@code nowNanos}. Then it stays settled
     * until time moves or a signal comes.
     */
    boolean isSettled(long nowNanos) {
        // Three volatile reads in this order. If no signal is pending, the slice that answers the last signal has
        // claimed the seat before the first read. If the seat is free at the second read, that slice has ended, and
        // nextNanos is the time that it wants next.
        boolean isAsked = signalled.get();
        int at = place.get();
        boolean isClaimed = at >= 0 && (at & 1) != 0;
        return at == ENDED || (!isAsked && !isClaimed && nextNanos.get() > nowNanos);
    }

    /** Whether the world is over its budget, by the last look of {@link HostWatch}. */
    boolean isOver() {
        return behindNanos.getOpaque() > 0;
    }

    /** Whether slices are so long that their time without a core should be subtracted. */
    boolean takesLong() {
        return costNanos.getOpaque() > Crew.GRACE_NANOS / 2;
    }

    boolean isRogue() {
        return isRogue.getOpaque();
    }

    /**
     * Sets the part of a core that the world needs and the part that it may use. A world that needs twice its budget has deadlines as if it
     * ticked half as often. So all worlds over their budgets get the same part of a core, not the same number of ticks. Rogues come after
     * all other worlds.
     */
    void budget(double needed, double cores) {
        boolean isLong = needed > ROGUE_CORES;
        double times = Math.min(needed / cores, MAX_TIMES);
        long behind = needed > cores ? 1 + (long) ((times - 1) * periodNanos.getOpaque()) : 0;
        isRogue.setOpaque(behind > 0 && isLong);
        behindNanos.setOpaque(behind > 0 && isLong ? behind + Crew.ROGUE_NANOS : behind);
    }

    /**
     * Returns the deadline of a due slice. The deadline of a slice that is more than a period late counts from now: else a world that skips
     * no ticks would be first until it has caught up, perhaps for ever.
     */
    long deadlineNanos(long dueNanos, long nowNanos) {
        long period = periodNanos.getPlain();
        return (nowNanos - dueNanos > period ? nowNanos : dueNanos) + period + behindNanos.getOpaque();
    }

    /** Counts a slice that has ended, and sets the due time of the next one. Only for the worker that has claimed the seat. */
    void sliceEnded(long dueNanos, long endedNanos, long sliceNanos, long wantedNanos) {
        long period = ticks.periodNanos();
        periodNanos.setOpaque(period);
        if (dueNanos <= endedNanos) { // false if the slice only served a signal, without a tick
            // Counts no more than the longest slice before: a garbage collection, another program or a first tick make
            // one slice long, a rogue makes some of each window long.
            long usualNanos = Math.min(sliceNanos, Math.max(longestNanos, longestBeforeNanos));
            costNanos.setOpaque(costNanos.getPlain() + (usualNanos - costNanos.getPlain()) / 32);
            longestNanos = Math.max(longestNanos, sliceNanos);
            if (++slices == WINDOW) {
                slices = 0;
                longestBeforeNanos = longestNanos;
                longestNanos = 0;
            }
        }
        if (dueNanos != NEVER) {
            long slack = dueNanos + period - endedNanos;
            slackNanos.setOpaque(slackNanos.getPlain() + (slack - slackNanos.getPlain()) / 8);
            if (slack < 0) {
                missedDeadlines.setOpaque(missedDeadlines.getPlain() + 1);
            }
        }
        nextNanos.setOpaque(wantedNanos);
    }

    // ---- methods for any thread

    WorldLoad load() {
        return new WorldLoad(
                ticks.world().name(), utilisation(), slackNanos.getOpaque(), missedDeadlines.getOpaque(), isOver());
    }

    /**
     * Returns the share of one core that the world needs at its rate, by the cost of its last slices; above 1 if one thread is not enough.
     */
    double utilisation() {
        long period = periodNanos.getOpaque();
        return period == 0 || nextNanos() == NEVER ? 0 : (double) costNanos.getOpaque() / period;
    }
}
