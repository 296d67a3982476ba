package dev.escapement.physics.host;

import dev.escapement.physics.request.AnswerThread;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.state.internal.ThreadEnd;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.TickRate;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The workers of a host, and the seats of its worlds. If a worker is lost in a hanging world, a new worker replaces it, in the same slot
 * (index of a thread) and with another number.
 *
 * <p><b>Guarantees</b> of a {@link #step}, with their tests in {@code LockStepTest}. A step waits for each seat, not for each worker,
 * because within a step a seat may move to a worker that was idle before.
 * <ol>
 *   <li>When a step returns, each world that is not paused has ticked as often as its speed says, and none is in a slice of the step.
 *       ({@code shouldEndNoStepWithinATick})
 *   <li>Requests from before the step count from its beginning: a world that was resumed ticks in the step. ({@code
 *       shouldTickInTheStepAfterAResume})
 *   <li>A world that is added during a step takes part from the next step on. ({@code shouldTickANewWorldFromTheNextStepOn})
 * </ol>
 *
 * <p>Any thread may call any method. The methods that a worker calls in a slice are wait-free.
 */
final class Crew {

    /** The lateness from which another worker may run a due slice. A single slice shorter than this makes no due seat move. */
    static final long GRACE_NANOS = 500_000;

    /** Added to the deadlines of rogues (worlds over their budgets that need much of a core), so that these come after all other worlds. */
    static final long ROGUE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /**
     * The phase of each new world comes later than that of the world before by this fraction of a period. Multiples of the golden ratio,
     * modulo 1, are spread evenly, however many there are.
     */
    private static final double GOLDEN_RATIO = 0.6180339887498949;

    /** The time by which a tick may run early in lock step, because due times are rounded from different origins. */
    private static final long STEP_SLACK_NANOS = 500;

    static final long MAX_END_NANOS = TimeUnit.SECONDS.toNanos(5);

    final HostBuilder settings;
    final NanoClock clock;
    final AnswerThread answers = new AnswerThread(Thread::new);
    final Inbox[] inboxes;

    /**
     * The due time of the next slice in each slot. The slot's worker writes it (release); a worker that looks for late seats of others
     * reads it (acquire).
     */
    final AtomicLongArray earliestNanos;

    /** The worker of each slot. HostWatch's thread writes it in {@link #replace} (volatile); any thread reads it. */
    final AtomicReferenceArray<Worker> workers;

    /**
     * All seats, in any order, and nulls at the end. Volatile: workers read it without the lock. A worker that misses a seat finds it at
     * its next look.
     */
    private volatile @Nullable Seat[] seats = new Seat[16];

    // The lock of this object guards the next fields.

    /** The seat of each name; null while its world is being built. */
    private final Map<String, @Nullable Seat> named = new HashMap<>();

    /** The simulations of all worlds, including those that are being built, by identity: a simulation may have only one world. */
    private final Set<Object> simulations = Collections.newSetFromMap(new IdentityHashMap<>());

    private int adding;

    private int size;
    private long started;
    private boolean closed;

    private final AtomicInteger nextHome = new AtomicInteger();

    /**
     * The slot that runs no rogues (worlds over their budgets that need much of a core); -1 if there is none. Volatile: HostWatch writes
     * it, and workers read it as a hint.
     */
    volatile int reserved = -1;

    /** The thread that waits for the end of a step. Volatile: written before that thread reads the seats, see {@link #tellStepping}. */
    private volatile @Nullable Thread stepping;

    // Volatile: written before the workers are woken, so that a woken worker reads it.
    volatile boolean stopped;

    /** The number of steps so far in lock step. Guarded by {@code PhysicsHost.steps}. */
    private long steps;

    /** The time of the clock in lock step. Volatile: a slice that begins after the write sees it. */
    private volatile long stepNanos;

    Crew(HostBuilder settings) {
        this.settings = settings;
        clock = settings.lockStep == null ? NanoClock.system() : () -> stepNanos;
        int slots = settings.threads;
        workers = new AtomicReferenceArray<>(slots);
        inboxes = new Inbox[slots];
        earliestNanos = new AtomicLongArray(slots);
        for (int slot = 0; slot < slots; slot++) {
            int ofInbox = slot;
            inboxes[slot] = new Inbox(() -> wake(ofInbox));
            earliestNanos.set(slot, Long.MAX_VALUE);
            workers.set(slot, new Worker(this, slot));
        }
    }

    /**
     * Wakes the worker of a slot. If it is in a slice, also wakes the next workers, up to the first that is not in a slice and can take
     * over the signalled seats.
     */
    private void wake(int slot) {
        Worker worker = workers.get(slot);
        worker.signal();
        for (int i = 1; i < slots() && worker.running() != null; i++) {
            worker = workers.get((slot + i) % slots());
            worker.signal();
        }
    }

    void start() {
        for (int slot = 0; slot < slots(); slot++) {
            workers.get(slot).start();
        }
    }

    int slots() {
        return inboxes.length;
    }

    int slotOf(int worker) {
        return worker % slots();
    }

    boolean isCaller() {
        for (int slot = 0; slot < slots(); slot++) {
            if (workers.get(slot).isCaller()) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the instant at which the time of a new world begins. Takes the lock under which a step sets the time, so that the next step
     * waits for the world.
     */
    synchronized long startNanos(Seat seat, long periodNanos) {
        long nanos = clock.nanoTime();
        if (settings.lockStep != null) {
            seat.wantsSliceAt(nanos + periodNanos);
            return nanos;
        }
        double part = started++ * GOLDEN_RATIO;
        return nanos + (long) ((part - Math.floor(part)) * periodNanos);
    }

    int newHome() {
        return workers.get(Math.floorMod(nextHome.getAndIncrement(), slots())).number;
    }

    /**
     * Reserves the name and the simulation of a new world, and returns the name. Throws an {@link IllegalArgumentException} if another
     * world has one of them.
     */
    synchronized String admit(String name, TickRate rate, Object simulation) {
        requireOpen("takes no more worlds");
        if (settings.lockStep != null && !settings.lockStep.equals(rate)) {
            throw new IllegalArgumentException("this host ticks in lock step at " + settings.lockStep
                    + ", but the world is built for " + rate + "; give its builder the rate of the host");
        }
        String admitted = name;
        for (long i = size + 1L; admitted.isEmpty() || (name.isEmpty() && named.containsKey(admitted)); i++) {
            admitted = "world-" + i;
        }
        if (named.containsKey(admitted)) {
            throw new IllegalArgumentException("this host has a world named '" + admitted
                    + "' already; give each a name of its own, or close that one first");
        }
        if (!simulations.add(simulation)) {
            throw new IllegalArgumentException(
                    "world '" + admitted + "' is to tick the same " + FailureReport.nameOf(simulation)
                            + " as another world of this host; make a simulation for each, or close the other world first");
        }
        named.put(admitted, null);
        adding++;
        return admitted;
    }

    /** Ends the addition of an admitted world. If the world could not be built, releases its name and its simulation. */
    synchronized void added(String name, @Nullable Object simulation, boolean isThere) {
        if (!isThere) {
            named.remove(name, null);
            simulations.remove(simulation);
        }
        adding--;
        notifyAll();
    }

    /**
     * Waits until no world is being built, {@link #MAX_END_NANOS} at most. The workers stop after this call, and only they can end a world
     * that is still being added.
     */
    synchronized void awaitAdded() {
        long endNanos = System.nanoTime() + MAX_END_NANOS;
        boolean interrupted = false;
        long leftMillis;
        while (adding > 0 && (leftMillis = (endNanos - System.nanoTime()) / 1_000_000) > 0) {
            try {
                wait(leftMillis);
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    synchronized void requireOpen(String otherwise) {
        if (closed) {
            throw new IllegalStateException("this host was closed, and " + otherwise + "; make another host");
        }
    }

    synchronized void add(Seat seat) {
        requireOpen("takes no more worlds");
        if (size == seats.length) {
            seats = Arrays.copyOf(seats, 2 * size);
        }
        seat.index = size;
        seats[size++] = seat;
        named.put(seat.ticks.world().name(), seat);
    }

    synchronized void ended(Seat seat) {
        if (seat.index < size && seats[seat.index] == seat) {
            named.remove(seat.ticks.world().name(), seat);
            simulations.remove(seat.simulation);
            Seat last = seats[--size];
            seats[seat.index] = last;
            seats[size] = null;
            if (last != null) {
                last.index = seat.index;
            }
        }
        LockSupport.unpark(stepping);
    }

    @Nullable
    Seat[] seats() {
        return seats;
    }

    synchronized @Nullable Seat find(String name) {
        return named.get(name);
    }

    synchronized Seat[] all() {
        Seat[] all = new Seat[size]; // no stream: the watchdog thread calls this ten times a second
        System.arraycopy(seats, 0, all, 0, size);
        return all;
    }

    boolean isReserved(int slot) {
        return slot == reserved;
    }

    /** Returns the lateness after which another worker runs a slice. In lock step it is 0: any worker runs a due slice. */
    long graceNanos() {
        return settings.lockStep == null ? GRACE_NANOS : 0;
    }

    long earlyNanos() {
        return settings.lockStep == null ? 0 : STEP_SLACK_NANOS;
    }

    /** Returns the latest due time of a slice that may run now. */
    long nowNanos() {
        return clock.nanoTime() + earlyNanos();
    }

    /** Ticks all worlds once, and waits for them. The caller holds {@code PhysicsHost.steps}. */
    void step(TickRate rate) {
        stepping = Thread.currentThread();
        awaitSettled(); // requests from before the step run at the time of the step before
        synchronized (this) {
            stepNanos = rate.nanosAt(++steps);
        }
        signalAll();
        awaitSettled();
        stepping = null;
    }

    /** Serves the requests of all worlds, and waits for them. The caller holds {@code PhysicsHost.steps}. */
    void serve() {
        stepping = Thread.currentThread();
        for (Seat seat : all()) {
            seat.ticks.serveInNextSlice();
            seat.signal();
        }
        awaitSettled();
        stepping = null;
    }

    private void awaitSettled() {
        int index = Integer.MAX_VALUE;
        boolean interrupted = false;
        while ((index = lastUnsettled(index)) >= 0 && !stopped) {
            LockSupport.park(this);
            interrupted |= Thread.interrupted(); // else a pending interrupt would end each park at once
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Returns the last index, {@code from} at most, whose seat has yet to run a slice; -1 if there is none. Seats only move to lower
     * indexes, so none is missed.
     */
    private synchronized int lastUnsettled(int from) {
        long nowNanos = nowNanos();
        int index = Math.min(from, size - 1);
        while (index >= 0 && Objects.requireNonNull(seats[index]).isSettled(nowNanos)) {
            index--;
        }
        return index;
    }

    /**
     * Wakes the thread that waits in {@link #step} or {@link #serve}, so that it reads the seats again. A worker calls this when it becomes
     * idle.
     */
    void tellStepping() {
        // Orders the release of this worker's last seat before the read of stepping. The thread that steps writes
        // stepping first, and then reads the seats. So this worker sees that thread, or that thread sees the release.
        VarHandle.fullFence();
        Thread waiting = stepping;
        if (waiting != null) {
            LockSupport.unpark(waiting);
        }
    }

    private void signalAll() {
        for (int slot = 0; slot < slots(); slot++) {
            workers.get(slot).signal();
        }
    }

    /** Marks the worker with this number as lost, unless it was replaced. {@code why} is a part of a sentence. */
    void orphan(int number, String why) {
        Worker worker = workers.get(slotOf(number));
        if (worker.number == number) {
            worker.orphan(why);
        }
    }

    /**
     * Replaces a lost worker. {@code why} is a part of a sentence. The worlds of the worker continue, unless they are bound to it. Throws
     * if there is no memory for a thread. Then nothing has changed, or the new worker never started and counts as lost; HostWatch calls
     * this again.
     */
    void replace(Worker lost, String why) {
        // Read after the worker was found lost: a worker that ended because of stop() needs no replacement.
        if (stopped) {
            return;
        }
        Worker worker = new Worker(this, lost.number + slots());
        String says = "its thread " + why
                + ", and its engine is bound to that thread; start another world from the next tick";
        Seat[] all = all();
        newThread(() -> loseBound(lost.number, all, says), "escapement-host-recovery")
                .start();
        workers.set(slotOf(lost.number), worker);
        worker.start();
    }

    /** Fails the worlds that only a lost worker may tick. Runs on a thread of its own, because closing the worlds may take long. */
    private static void loseBound(int lost, Seat[] seats, String says) {
        for (Seat seat : seats) {
            if (!seat.mayBeAdopted() && seat.claim(lost, lost)) {
                try {
                    seat.orphan(says);
                } catch (Throwable noMemory) {
                    // this world has ended; without the catch the next worlds would neither tick nor fail
                }
            }
        }
    }

    Thread newThread(Runnable work, String what) {
        Thread thread = new Thread(null, work, what);
        thread.setDaemon(true);
        thread.setContextClassLoader(null); // else the thread would keep a game's class loader alive
        return thread;
    }

    /** Ends the workers. Call it after all worlds have ended. */
    void stop() {
        stopped = true;
        LockSupport.unpark(stepping); // stopped workers no longer wake the thread that steps
        signalAll();
        for (int slot = 0; slot < slots(); slot++) {
            if (!ThreadEnd.await(workers.get(slot).thread, MAX_END_NANOS)) {
                FailureReport.warn(() -> "A thread of the closed host still runs: a world hangs in it.");
            }
        }
        answers.end();
    }

    /** Refuses new worlds from now on. Returns true for the first call. */
    synchronized boolean close() {
        boolean first = !closed;
        closed = true;
        return first;
    }
}
