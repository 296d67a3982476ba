package dev.escapement.physics.host;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.slice.HostedTicks;
import dev.escapement.physics.slice.TickHost;
import dev.escapement.state.internal.ThreadEnd;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The place of one world on the threads of a host: which worker is its home, whether one runs its slice now, and what its slices have cost.
 *
 * <pre>{@code
 * if (seat.claim(home, me)) {        // no other worker runs its slice now
 *     long nextNanos = seat.ticks.runSlice(times);
 *     ...                            // it is changed only here
 *     seat.release(me);              // its home is this worker now
 * }
 * }</pre>
 *
 * <p><b>Assumptions</b>
 * <ol>
 *   <li>A worker releases what it has claimed, unless it is lost within the slice: then the world has failed, and the seat ends.
 * </ol>
 * <b>Guarantees</b>, with their tests in {@code SeatTest} and {@code PhysicsHostTest}
 * <ol>
 *   <li>At most one worker has claimed it. ({@code shouldBeClaimedByOne})
 *   <li>The one that claims it sees all that those before have done in their slices.
 *   <li>After a signal begins a slice that sees what was done before the signal. ({@code shouldTurnAgainAfterASignalWithinItsTurn})
 * </ol>
 * <b>Progress</b>: wait-free; {@link #signal()} is lock-free; the first and the last slice take the lock of the crew; {@link #awaitEnd}
 * waits.
 */
final class Seat implements TickHost {

    static final long NOT_QUEUED = Long.MIN_VALUE;

    /** Only a signal ends the wait for a slice. */
    static final long NEVER = Long.MAX_VALUE;

    /** A world that is over its budget and needs more than this of a core is a rogue: smaller ones are many, or begin just now. */
    private static final double ROGUE_CORES = 0.25;

    /** A world that needs more than this many times its budget counts as needing this many, so that it ticks now and then. */
    private static final double MAX_TIMES = 100;

    private static final int NEW = -1;
    private static final int ENDED = -2;

    final HostedTicks ticks;
    final double weight;
    private final Crew crew;

    /** NEW, ENDED, or twice the number of the worker that is its home, plus one while that runs its slice. */
    // claim() acquires what release() and start() release.
    private final AtomicInteger place = new AtomicInteger(NEW);

    /** When it wants its next slice. Written by the worker that has claimed it; others read it as a hint (opaque). */
    private final AtomicLong nextNanos = new AtomicLong(NEVER);

    /** Whether it waits in an inbox. */
    // getAndSet(true) of a signal and getAndSet(false) before a slice: the slice sees what the signal is about, or the
    // signal offers the seat again.
    private final AtomicBoolean signalled = new AtomicBoolean();

    /** The next one in the inbox. Plain: published by the inbox. */
    @Nullable
    Seat nextSignalled;

    /** Counts how often it was put into heaps: an older entry is void. Only who has claimed it. */
    int ticket;

    /** The instant of its entry in the heap of the worker {@link #isQueuedBy}, or {@link #NOT_QUEUED}. Only who has claimed it. */
    long isQueuedAt = NOT_QUEUED;

    int isQueuedBy;

    /** Whether it has had a slice: from then on a simulation that does not move stays on its thread. For who has not claimed it, a hint. */
    private final AtomicBoolean begun = new AtomicBoolean();

    // Written by HostWatch, read by all (opaque): nothing else is ordered by them.

    /** How much later its deadlines are than the deadlines of worlds within their budgets; 0 if it is within its own. */
    private final AtomicLong behindNanos = new AtomicLong();

    /** Whether it needs more than its budget, and much of a core. */
    private final AtomicBoolean isRogue = new AtomicBoolean();

    /** How long its last slice was. Only who has claimed it. */
    private long sliceBeforeNanos;

    // Written by the worker that has claimed it, read by any thread (opaque); nothing else is ordered by them.
    private final AtomicLong costNanos = new AtomicLong();
    private final AtomicLong missedDeadlines = new AtomicLong();
    private final AtomicLong slackNanos = new AtomicLong();
    private final AtomicLong periodNanos = new AtomicLong();

    // Volatile: set by its worker, read by the watchdog.
    private volatile boolean isEnding;

    private final CountDownLatch end = new CountDownLatch(1);

    /** Set right after the service was built, before it is started. */
    @SuppressWarnings("NullAway.Init")
    PhysicsService service;

    /** The simulation that it ticks. Set before the service is built. */
    @Nullable
    Object simulation;

    /** Where it is in the list of all seats. Of the thread that has the crew's lock. */
    int index;

    Seat(Crew crew, HostedTicks ticks, double weight) {
        this.crew = crew;
        this.ticks = ticks;
        this.weight = weight;
    }

    // ---- for the service

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
        if (crew.stopped) { // then the service closes its simulation on the calling thread
            throw new IllegalStateException("this host was closed, and has no threads any more; make another host");
        }
        place.setRelease(2 * crew.newHome()); // to claim()
        signal();
    }

    /** Puts it into the inbox of its home, unless it is there. */
    @Override
    public void signal() {
        if (!signalled.getAndSet(true)) {
            offer();
        }
    }

    /** Puts it into the inbox of the worker that is its home now. Who calls has set {@link #signalled}. */
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
                signalled.getAndSet(false); // no home, or the caller's stack ends here: the next signal offers it again
            }
        }
        if (inbox != null) {
            inbox.wake();
        } else if (place.getAcquire() >= 0) { // it was started just now, when the signal of that found this one
            signal();
        }
    }

    @Override
    public void cancel() {
        signal();
    }

    @Override
    public void ending() {
        isEnding = true;
    }

    /** Not on a worker, because it may hang; after the end, because it may add another world of the name. */
    @Override
    public void callHandler(Runnable handler) {
        Runnable afterEnd = () -> {
            awaitEnd(Crew.MAX_END_NANOS);
            handler.run();
        };
        crew.newThread(afterEnd, "escapement-host-handler").start();
    }

    /** Whether its last slice closes its simulation: that may take long. */
    boolean isEnding() {
        return isEnding;
    }

    @Override
    public void abandoned() {
        int home = home();
        if (end()) { // else its worker has come back just now
            crew.lose(home, whyLost());
        }
    }

    /** Why the worker that runs its slice is lost: a part of a sentence. */
    String whyLost() {
        return "hangs in world '" + ticks.world().name() + "'";
    }

    /** Fails it in place of its worker, which is lost. For the thread that has claimed it, or after the end of the one that has. */
    void lose(String why) {
        try {
            ticks.lose(why);
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

    // ---- for the workers

    /** Takes it for a slice, if it is free and at home there. */
    boolean claim(int home, int me) {
        return place.compareAndSet(2 * home, 2 * me + 1);
    }

    /** Lets others take it. Its home is the given worker from now on. */
    void release(int home) {
        place.setRelease(2 * home); // to claim()
    }

    /** Notes that a slice begins which sees what was done before all signals so far. */
    void clearSignal() {
        signalled.getAndSet(false); // not set(): it acquires what signal() releases
    }

    /** Whether another worker may run its slice when its own is lost. */
    boolean mayBeAdopted() {
        return ticks.world().mayMove() || !begun.getOpaque();
    }

    void begin() {
        begun.setOpaque(true);
    }

    /** Its home; negative if it has none. */
    int home() {
        return place.getAcquire() >> 1;
    }

    /** Ends it, after its last slice or because its worker is lost in that. Returns false if it has ended before. */
    boolean end() {
        return ended(place.getAndSet(ENDED) != ENDED);
    }

    /** Ends it if it was never {@linkplain #start() started}. */
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

    /** When it wants its next slice; for who has not claimed it, a hint. */
    long nextNanos() {
        return nextNanos.getOpaque();
    }

    /** Says when its first slice is wanted, before it is started. */
    void wantsSliceAt(long nanos) {
        nextNanos.setOpaque(nanos);
    }

    /**
     * Whether it has no slice now, and was not asked for one, and its next tick is due later. Once that is so, it stays so while time does.
     */
    boolean isSettled(long nowNanos) {
        // In this order, all volatile. The slice of a signal that is not pending has claimed the seat before; so if the
        // seat is free after that, the slice has ended; and then what it wants next is read.
        boolean isAsked = signalled.get();
        int at = place.get();
        boolean isClaimed = at >= 0 && (at & 1) != 0;
        return at == ENDED || (!isAsked && !isClaimed && nextNanos.get() > nowNanos);
    }

    /** Whether it needs more than its budget, as far as is known. */
    boolean isOver() {
        return behindNanos.getOpaque() > 0;
    }

    /** Whether its slices may be so long that it matters whether it had its core. */
    boolean takesLong() {
        return costNanos.getOpaque() > Crew.GRACE_NANOS / 2;
    }

    /** Whether it needs more than its budget, and much of a core. */
    boolean isRogue() {
        return isRogue.getOpaque();
    }

    /**
     * Says what it needs and what it may use of a core. One that needs twice that has deadlines as if it ticked half as often, so that all
     * over their budgets get the same part of a core, not the same number of ticks; rogues are behind all others.
     */
    void budget(double needed, double cores) {
        boolean isLong = needed > ROGUE_CORES;
        double times = Math.min(needed / cores, MAX_TIMES);
        long behind = needed > cores ? 1 + (long) ((times - 1) * periodNanos.getOpaque()) : 0;
        isRogue.setOpaque(behind > 0 && isLong);
        behindNanos.setOpaque(behind > 0 && isLong ? behind + Crew.ROGUE_NANOS : behind);
    }

    /**
     * The latest instant at which a slice that is due should have ended. If it is more than a period behind, from now on: one that runs all
     * its ticks would else be first until it has caught up, if ever.
     */
    long deadlineNanos(long dueNanos, long nowNanos) {
        long period = periodNanos.getPlain();
        return (nowNanos - dueNanos > period ? nowNanos : dueNanos) + period + behindNanos.getOpaque();
    }

    /** Counts a slice that has ended, and says when the next one is. Only who has claimed it. */
    void sliceEnded(long dueNanos, long endedNanos, long sliceNanos, long wantedNanos) {
        long period = ticks.periodNanos();
        periodNanos.setOpaque(period);
        if (dueNanos <= endedNanos) { // else it was signalled, and has not ticked
            // The shorter of two slices: a collection, another program or a first tick make one slice long, a rogue
            // makes all slices long.
            long usualNanos = Math.min(sliceNanos, sliceBeforeNanos);
            costNanos.setOpaque(costNanos.getPlain() + (usualNanos - costNanos.getPlain()) / 8);
            sliceBeforeNanos = sliceNanos;
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

    // ---- for any thread

    WorldLoad load() {
        return new WorldLoad(
                ticks.world().name(), utilisation(), slackNanos.getOpaque(), missedDeadlines.getOpaque(), isOver());
    }

    /** The share of one core that it needs at its rate, by the cost of its last slices; above 1 if one thread is not enough. */
    double utilisation() {
        long period = periodNanos.getOpaque();
        return period == 0 || nextNanos() == NEVER ? 0 : (double) costNanos.getOpaque() / period;
    }
}
