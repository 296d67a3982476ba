package dev.escapement.physics.host;

import dev.escapement.physics.slice.SlicedRun;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.state.thread.ThreadTimes;
import dev.escapement.state.time.Pacer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a host that runs the slices of the seats whose home it is. It runs the due seat with the earliest deadline first (EDF; Liu
 * and Layland, 1973). When none is due, it takes over late seats of other workers that are in a long slice or have no core.
 *
 * <p>Two heaps hold its seats: {@code waiting} by the due time of their next slice, {@code ready} by the slice's deadline. An entry is void
 * if its seat has moved, or has had another slice. Only the worker itself uses its heaps, so that a slice takes no lock.
 *
 * <p><b>Threads.</b> The worker's own. Any thread may call {@link #signal()}, {@link #orphan} and {@link #running()}.
 */
final class Worker {

    /** The longest wait of a worker that has nothing to wait for. */
    private static final long MAX_WAIT_NANOS = TimeUnit.HOURS.toNanos(1);

    /** The time between two checks whether another worker needs help, because it has become busy or is in a long slice. */
    private static final long STAND_IN_NANOS = 10_000_000;

    /** The same time while nothing is due so soon on the worker that this one helps, because each wake-up takes processor time. */
    private static final long IDLE_STAND_IN_NANOS = 100_000_000;

    private static final int MAX_TAKEN = 16;

    final int number;
    final Thread thread;
    private final Crew crew;
    private final int slot;
    private final Pacer pacer;
    private final SeatHeap waiting = new SeatHeap();
    private final SeatHeap ready = new SeatHeap();
    private int nextLook;
    private long nextStandInNanos;

    /** Whether the worker that helps this one may look that seldom. */
    private boolean isIdle;

    /** The seat whose slice runs now. The worker writes it (release); the watchdog reads it (acquire). */
    private final AtomicReference<@Nullable Seat> running = new AtomicReference<>();

    /** The reason for which the worker runs no more slices, as a part of a sentence; null if it runs them. */
    // Volatile: the worker or the thread that abandons it writes it; the worker and HostWatch, which replaces it, read
    // it.
    private volatile @Nullable String lost;

    Worker(Crew crew, int number) {
        this.crew = crew;
        this.number = number;
        slot = crew.slotOf(number);
        pacer = crew.settings.newPacer();
        nextStandInNanos = crew.nowNanos();
        thread = crew.newThread(this::run, "escapement-host-" + slot);
    }

    void start() {
        thread.start();
    }

    boolean isCaller() {
        return thread == Thread.currentThread();
    }

    void signal() {
        pacer.signal();
    }

    /**
     * Marks the worker as lost, because it hangs in a slice. If it comes back, it runs no other slice. {@code why} is a part of a sentence.
     */
    void orphan(String why) {
        lost = why;
    }

    /** Returns why the worker must be replaced, as a part of a sentence; null if it runs. */
    @Nullable
    String whyLost() {
        boolean hasEnded = !thread.isAlive(); // read first: a thread writes lost before it ends
        String why = lost;
        return why == null && hasEnded ? "has ended" : why;
    }

    @Nullable
    Seat running() {
        return running.getAcquire();
    }

    private void run() {
        try (ThreadTimes times = ThreadTimes.ofCallingThread()) {
            adopt();
            while (!crew.stopped && lost == null) {
                work(times);
            }
        } catch (Throwable thrown) { // an error of the host's code, such as no memory; HostWatch ends the slice's world
            lost = "ended: " + FailureReport.why(thrown);
            FailureReport.warn(() -> "A thread of the host is replaced: it " + lost);
        }
    }

    /** Takes over the movable seats of the workers that were lost in this slot. */
    private void adopt() {
        for (Seat seat : crew.all()) {
            if (adopts(seat)) {
                put(seat);
            }
        }
    }

    /** Runs one slice, or waits if none is due. */
    private void work(ThreadTimes times) {
        boolean turned = takeInbox(times);
        if (lost != null) {
            return;
        }
        long nowNanos = crew.nowNanos();
        while (waiting.firstNanos() <= nowNanos) {
            Seat seat = waiting.first();
            ready.add(seat.deadlineNanos(waiting.firstNanos(), nowNanos), seat, waiting.firstTicket());
            waiting.removeFirst();
        }
        // A rogue (a world over its budget that needs much of a core) comes after all other seats, so this worker first
        // takes over late seats of other workers. If it is never idle, it does so every STAND_IN_NANOS, because another
        // worker may be in a slice as long as several.
        boolean standsIn = nowNanos - nextStandInNanos >= 0;
        if (standsIn) {
            nextStandInNanos = nowNanos + STAND_IN_NANOS;
        }
        if (!ready.isEmpty()) {
            boolean isRogue = ready.first().isRogue();
            if ((isRogue || standsIn) && takeOver(nowNanos, isRogue ? crew.graceNanos() : STAND_IN_NANOS)) {
                return;
            }
        }
        if (!ready.isEmpty()) {
            Seat seat = ready.first();
            int ticket = ready.firstTicket();
            ready.removeFirst();
            if (claims(seat, number)) {
                if (seat.ticket == ticket) {
                    seat.isQueuedAt = Seat.NOT_QUEUED;
                    runSlice(seat, times);
                } else {
                    seat.release(number);
                }
            }
        } else if (!takeOver(nowNanos, crew.graceNanos())) {
            crew.tellStepping();
            if (!turned) { // else the inbox may have other seats, whose signals would not end this wait
                await(nowNanos);
            }
        }
    }

    /**
     * Runs a slice of a signalled seat. Puts the other signalled seats back first, where another worker finds them if this one hangs.
     * Returns whether a slice ran.
     */
    private boolean takeInbox(ThreadTimes times) {
        waiting.reserve(); // before a seat is taken: without memory all seats stay in the inbox
        Inbox inbox = crew.inboxes[slot];
        Seat seat = inbox.takeOldest();
        while (seat != null) {
            Seat next = seat.nextSignalled;
            seat.nextSignalled = null;
            if (seat.claim(number, number) || adopts(seat)) {
                inbox.putBack(next);
                seat.clearSignal();
                runSlice(seat, times);
                return true;
            }
            if (!isOfLostWorker(seat.home())) { // a seat of a lost worker is being ended
                seat.offer(); // the seat has moved: offers it to its new home
            }
            seat = next == null
                    ? inbox.takeOldest()
                    : next; // until the inbox is empty: seats left in it would not end the next wait
        }
        return false;
    }

    /** Whether {@code home} is a lost earlier worker of this slot. */
    private boolean isOfLostWorker(int home) {
        return home >= 0 && home < number && crew.slotOf(home) == slot;
    }

    /** Claims a seat whose home is a lost earlier worker of this slot, unless the seat is bound to that worker. */
    private boolean adopts(Seat seat) {
        int home = seat.home(); // read once: another worker may take the seat meanwhile
        return isOfLostWorker(home) && seat.mayBeAdopted() && claims(seat, home);
    }

    /** Claims a seat after reserving its room in the heap. Without room the seat would be in no heap, and never run again. */
    private boolean claims(Seat seat, int home) {
        waiting.reserve();
        return seat.claim(home, number);
    }

    private void runSlice(Seat seat, ThreadTimes times) {
        seat.begin();
        long dueNanos = seat.nextNanos();
        crew.earliestNanos.setRelease(slot, nextDueNanos());
        running.setRelease(seat);
        endIdleness(); // after it: the woken worker looks often while a seat runs here
        boolean takesLong = seat.takesLong(); // if not, times are not read, because that takes a microsecond
        long waitedNanos = takesLong ? times.waitedNanos() : 0;
        long startedNanos = System.nanoTime();
        long wantedNanos = seat.ticks.runSlice(times);
        long sliceNanos = System.nanoTime() - startedNanos;
        if (takesLong) {
            sliceNanos -= times.waitedNanos() - waitedNanos; // time without a core is no cost of the world
        }
        if (wantedNanos == SlicedRun.ENDED) {
            if (!seat.end()) { // false: this thread was abandoned in the slice, and is being replaced
                orphan(seat.whyLost());
            }
        } else {
            seat.sliceEnded(dueNanos, crew.nowNanos(), sliceNanos, wantedNanos);
            if (seat.isRogue() && crew.isReserved(slot) && seat.ticks.world().mayMove()) {
                moveAway(seat);
            } else {
                put(seat);
            }
        }
        running.setRelease(null);
    }

    /**
     * Returns the due time of the slice after the current one, which may be past. If that slice is late, this worker is overloaded, and an
     * idle worker takes over seats. A late rogue does not count as late.
     */
    private long nextDueNanos() {
        if (ready.isEmpty()) {
            return waiting.firstNanos();
        }
        Seat next = ready.first();
        long nowNanos = crew.nowNanos();
        // If the first seat is due later than now, its entry is void, and the due time is now.
        return next.isRogue() ? nowNanos : Math.min(nowNanos, next.nextNanos());
    }

    /** Puts a claimed seat into the heap of waiting seats, and releases it. */
    private void put(Seat seat) {
        long nextNanos = seat.nextNanos();
        if (nextNanos != Seat.NEVER && !(seat.isQueuedAt == nextNanos && seat.isQueuedBy == number)) {
            waiting.add(nextNanos, seat, ++seat.ticket);
            seat.isQueuedAt = nextNanos;
            seat.isQueuedBy = number;
        }
        seat.release(number);
    }

    /** Moves the seat of a rogue (see {@link HostWatch}) to the next worker, because this one is reserved for other worlds. */
    private void moveAway(Seat seat) {
        seat.isQueuedAt = Seat.NOT_QUEUED; // the entry in this worker's heap is void
        seat.release(crew.workers.get((slot + 1) % crew.slots()).number);
        seat.signal();
    }

    /**
     * Takes over signalled seats of workers that are in a slice; if there are none, late seats, if the next slice of another worker is late
     * by {@code silentNanos}. Returns whether it took over any.
     */
    private boolean takeOver(long nowNanos, long silentNanos) {
        int taken = takeInboxes();
        if (taken > 0 || standInNanos(silentNanos) > nowNanos) {
            return taken > 0;
        }
        @Nullable Seat[] seats = crew.seats();
        for (int i = 0; i < seats.length && taken < MAX_TAKEN; i++) {
            nextLook = nextLook + 1 < seats.length ? nextLook + 1 : 0;
            Seat seat = seats[nextLook];
            if (seat != null && isLate(seat, nowNanos)) {
                int home = seat.home();
                if (home >= 0 && home != number && claims(seat, home)) {
                    put(seat);
                    taken++;
                }
            }
        }
        return taken > 0;
    }

    /** Takes over signalled seats whose worker is in a slice. Returns their number. */
    private int takeInboxes() {
        int taken = 0;
        for (int i = 1; i < crew.slots(); i++) {
            Worker other = crew.workers.get((slot + i) % crew.slots());
            Seat seat = other.running() == null ? null : crew.inboxes[other.slot].takeAll();
            boolean isPutBack = false;
            while (seat != null) {
                Seat next = seat.nextSignalled;
                seat.nextSignalled = null;
                if (isForHere(seat) && seat.mayBeAdopted() && seat.claim(other.number, number)) {
                    boolean isTaken = seat.mayBeAdopted(); // again, after the claim: the seat may have begun
                    if (isTaken) {
                        seat.isQueuedAt = Seat.NOT_QUEUED; // voids the other worker's entry
                    }
                    seat.release(isTaken ? number : other.number);
                    crew.inboxes[isTaken ? slot : other.slot].add(seat); // so that its slice runs at once
                    taken += isTaken ? 1 : 0;
                    isPutBack |= !isTaken;
                } else if (seat.home() != other.number) {
                    seat.offer(); // the seat has moved: offers it to its new home
                } else {
                    crew.inboxes[other.slot].add(seat);
                    isPutBack = true;
                }
                seat = next;
            }
            if (isPutBack) {
                // The other worker, or its replacement, may have found its inbox empty while these seats were taken
                // out. Wakes only that worker: Inbox.wake() could wake this one again and again.
                crew.workers.get(other.slot).signal();
            }
        }
        return taken;
    }

    private boolean isLate(Seat seat, long nowNanos) {
        return seat.nextNanos() <= nowNanos - crew.graceNanos()
                && seat.ticks.world().mayMove()
                && isForHere(seat);
    }

    private boolean isForHere(Seat seat) {
        return !(seat.isRogue() && crew.isReserved(slot));
    }

    /**
     * Returns the instant at which another worker may need this one. Looks at the next workers, up to the first that is not in a slice,
     * because that one helps the workers after it.
     */
    private long standInNanos(long silentNanos) {
        long earliest = Long.MAX_VALUE;
        for (int i = 1; i < crew.slots(); i++) {
            int other = (slot + i) % crew.slots();
            earliest = Math.min(earliest, crew.earliestNanos.getAcquire(other));
            if (crew.workers.get(other).running() == null) {
                break;
            }
        }
        return earliest == Long.MAX_VALUE ? earliest : earliest + silentNanos;
    }

    private void endIdleness() {
        if (isIdle && crew.slots() > 1) {
            crew.workers.get(Math.floorMod(slot - 1, crew.slots())).signal();
        }
        isIdle = false;
    }

    private void await(long nowNanos) {
        crew.earliestNanos.setRelease(slot, waiting.firstNanos());
        if (crew.settings.lockStep != null) {
            pacer.awaitSignal(MAX_WAIT_NANOS);
            return;
        }
        if (waiting.firstNanos() < nowNanos + IDLE_STAND_IN_NANOS) {
            endIdleness();
        } else {
            isIdle = true;
        }
        // If takeOver found nothing although seats are late, these are bound to their workers: the next look can wait.
        long standIn = Math.max(nowNanos + Crew.GRACE_NANOS, standInNanos(crew.graceNanos()));
        // A worker in a slice publishes the due time of its running seat only after the slice.
        boolean mayHelpSoon = standIn < nowNanos + IDLE_STAND_IN_NANOS
                || crew.workers.get((slot + 1) % crew.slots()).running() != null;
        long lookNanos = mayHelpSoon ? STAND_IN_NANOS : IDLE_STAND_IN_NANOS;
        long maxNanos = crew.slots() > 1 && crew.seats()[0] != null ? lookNanos : MAX_WAIT_NANOS;
        pacer.awaitUntilOrSignal(Math.min(nowNanos + maxNanos, Math.min(waiting.firstNanos(), standIn)));
    }
}
