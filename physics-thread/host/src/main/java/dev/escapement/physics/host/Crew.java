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
 * The workers of a host, and the seats of its worlds. A worker that is lost in a world that hangs is replaced: its slot stays, its number
 * changes.
 *
 * <p><b>Guarantees</b> of a {@link #step}, with their tests in {@code LockStepTest}. It asks each seat, not each worker: seats go from one
 * worker to another within a step, also to one that was without work before.
 * <ol>
 *   <li>When it returns, each world whose time runs has ticked as often as its speed says, and none is in a slice of the step.
 *       ({@code shouldEndNoStepWithinATick})
 *   <li>What was asked for before the step counts from its beginning: a world that was resumed ticks in it.
 *       ({@code shouldTickInTheStepAfterAResume})
 *   <li>A world that is added within a step takes part from the next one on. ({@code shouldTickANewWorldFromTheNextStepOn})
 * </ol>
 *
 * <p>Any thread may call any method. The methods that a worker calls in a slice are wait-free.
 */
final class Crew {

    /** Another worker runs a slice that is this late. Shorter slices make no other world wait. */
    static final long GRACE_NANOS = 500_000;

    /** By how much worlds that are over their budget and need much of a core come behind the others. */
    static final long ROGUE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** Phases of worlds that start one after the other are this part of a period apart: however many there are, they are spread. */
    private static final double GOLDEN_RATIO = 0.6180339887498949;

    /** In lock step, how much before its due time a tick may run: due times are rounded, from different origins. */
    private static final long STEP_SLACK_NANOS = 500;

    static final long MAX_END_NANOS = TimeUnit.SECONDS.toNanos(5);

    final HostBuilder settings;
    final NanoClock clock;
    final AnswerThread answers = AnswerThread.create();
    final Inbox[] inboxes;

    /** When each slot is next to run a slice, set (release) by its worker, read (acquire) by the one that stands in for it. */
    final AtomicLongArray earliestNanos;

    /** Set (volatile) by {@link #replace} of the thread of HostWatch, read by all. */
    final AtomicReferenceArray<Worker> workers;

    /** All seats, in any order, and nulls at the end. Volatile: thieves read it; a seat that they miss is found at the next look. */
    private volatile @Nullable Seat[] seats = new Seat[16];

    // Guarded by this.

    /** With null for a name of a world that is being built. */
    private final Map<String, @Nullable Seat> named = new HashMap<>();

    /** The simulations of all worlds, also while they are built. By identity: a simulation has one world. */
    private final Set<Object> simulations = Collections.newSetFromMap(new IdentityHashMap<>());

    /** How many worlds are being built. */
    private int adding;

    private int size;
    private long started;
    private boolean closed;

    private final AtomicInteger nextHome = new AtomicInteger();

    /** The slot that is for worlds within their budget; -1 if there is none. Volatile: set by {@link HostWatch}, a hint for workers. */
    volatile int reserved = -1;

    /** The thread that waits for the end of a step. Volatile: set before that looks at the seats, see {@link #tellStepping}. */
    private volatile @Nullable Thread stepping;

    // Volatile: set before the workers are woken.
    volatile boolean stopped;

    /** In lock step, the number of steps. The thread that holds the lock of steps reads and writes it. */
    private long steps;

    /** In lock step, what the clock says. Volatile: a slice that begins after it was set sees it. */
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

    /** Wakes the worker of a slot; if that is in a slice, also one that may stand in for it. */
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

    /** Whether the caller is one of the workers. */
    boolean isCaller() {
        for (int slot = 0; slot < slots(); slot++) {
            if (workers.get(slot).isCaller()) {
                return true;
            }
        }
        return false;
    }

    /** When the time of another world begins. With the lock of the time of steps: from the next step on, that waits for this world. */
    synchronized long startNanos(Seat seat, long periodNanos) {
        long nanos = clock.nanoTime();
        if (settings.lockStep != null) {
            seat.wantsSliceAt(nanos + periodNanos);
            return nanos;
        }
        double part = started++ * GOLDEN_RATIO;
        return nanos + (long) ((part - Math.floor(part)) * periodNanos);
    }

    /** The worker that is to be the home of another world. */
    int newHome() {
        return workers.get(Math.floorMod(nextHome.getAndIncrement(), slots())).number;
    }

    /** The name of another world. Throws if it is taken, or another world has the simulation. */
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

    /** The world that was admitted is there, or could not be built: then its name is free again. */
    synchronized void added(String name, @Nullable Object simulation, boolean isThere) {
        if (!isThere) {
            named.remove(name, null);
            simulations.remove(simulation);
        }
        adding--;
        notifyAll();
    }

    /** Waits until no world is being built, {@link #MAX_END_NANOS} at most: the workers have to end the worlds that come too late. */
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

    /** All seats; at its end are nulls, and while worlds come and go some are missing. */
    @Nullable
    Seat[] seats() {
        return seats;
    }

    synchronized @Nullable Seat find(String name) {
        return named.get(name);
    }

    synchronized Seat[] all() {
        return Arrays.stream(seats, 0, size).toArray(Seat[]::new);
    }

    boolean isReserved(int slot) {
        return slot == reserved;
    }

    /** How late a slice is before another worker runs it. In lock step any worker runs the slices that are due. */
    long graceNanos() {
        return settings.lockStep == null ? GRACE_NANOS : 0;
    }

    /** How much before it is due a tick may run. */
    long earlyNanos() {
        return settings.lockStep == null ? 0 : STEP_SLACK_NANOS;
    }

    /** The instant by which a slice must be due to run now. */
    long nowNanos() {
        return clock.nanoTime() + earlyNanos();
    }

    /** Lets all worlds tick once, and waits for that. The caller has the lock of steps. */
    void step(TickRate rate) {
        stepping = Thread.currentThread();
        awaitSettled(); // what was asked for until now is done at the time before
        synchronized (this) {
            stepNanos = rate.nanosAt(++steps);
        }
        signalAll();
        awaitSettled();
        stepping = null;
    }

    /** Lets all worlds serve requests, and waits for that. The caller has the lock of steps. */
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
            interrupted |= Thread.interrupted(); // else no park would wait any more
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** The last seat, at an index or before, that has a slice to come; -1 if there is none. Seats move down only, so none is missed. */
    private synchronized int lastUnsettled(int from) {
        long nowNanos = nowNanos();
        int index = Math.min(from, size - 1);
        while (index >= 0 && Objects.requireNonNull(seats[index]).isSettled(nowNanos)) {
            index--;
        }
        return index;
    }

    /** Lets the thread that steps look again. Called by a worker that finds nothing to do, after its last slice. */
    void tellStepping() {
        VarHandle
                .fullFence(); // between the release of the last seat and this read, as between stepping and isSettled()
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

    /** Says that the worker of a number hangs, unless it was replaced; why is a part of a sentence. */
    void lose(int number, String why) {
        Worker worker = workers.get(slotOf(number));
        if (worker.number == number) {
            worker.lose(why);
        }
    }

    /**
     * Replaces a worker that is lost; why is a part of a sentence. Its worlds continue, unless they are bound to it. HostWatch calls it,
     * and again if it throws for lack of memory for a thread: then nothing was done, or the new worker has no thread and is lost.
     */
    void replace(Worker lost, String why) {
        if (stopped) { // read after the worker was found lost: one that has ended because of this is not
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

    /** Fails the worlds that only a lost worker may tick. On a thread of its own, because that may take long. */
    private static void loseBound(int lost, Seat[] seats, String says) {
        for (Seat seat : seats) {
            if (!seat.mayBeAdopted() && seat.claim(lost, lost)) {
                try {
                    seat.lose(says);
                } catch (Throwable noMemory) {
                    // it has ended; the others would neither tick nor fail
                }
            }
        }
    }

    Thread newThread(Runnable work, String what) {
        Thread thread = new Thread(null, work, what);
        thread.setDaemon(true);
        thread.setContextClassLoader(null); // the loader of a game may have to be unloaded
        return thread;
    }

    /** Ends the workers, when all worlds have ended. */
    void stop() {
        stopped = true;
        LockSupport.unpark(stepping); // no worker ends its round any more
        signalAll();
        for (int slot = 0; slot < slots(); slot++) {
            if (!ThreadEnd.await(workers.get(slot).thread, MAX_END_NANOS)) {
                FailureReport.warn(() -> "A thread of the closed host still runs: a world hangs in it.");
            }
        }
        answers.end();
    }

    /** From now on no world is added. */
    synchronized boolean close() {
        boolean first = !closed;
        closed = true;
        return first;
    }
}
