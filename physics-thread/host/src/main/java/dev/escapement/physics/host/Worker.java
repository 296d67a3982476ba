package dev.escapement.physics.host;

import dev.escapement.physics.slice.HostedTicks;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.state.thread.ThreadTimes;
import dev.escapement.state.time.Pacer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a host, which runs the slices of its seats, whose home it is. It runs the due seat with the earliest deadline first (EDF; Liu
 * and Layland, 1973). When none is due, it takes over seats that are late elsewhere, because their worker is in a long slice or has no
 * core.
 *
 * <p>Two heaps hold its seats: {@code waiting} by when their next slice is due, {@code ready} by the deadline of the slice. An entry is
 * void if its seat has moved, or has had another slice. Only the worker itself uses them, so that a slice takes no lock.
 *
 * <p><b>Threads.</b> Its own; any thread may {@link #signal()}, {@link #lose}, and ask what {@link #running()} is.
 */
final class Worker {

    /** A wait for nothing in particular. */
    private static final long MAX_WAIT_NANOS = TimeUnit.HOURS.toNanos(1);

    /** A worker looks this often whether another one needs it: that was idle, too, when it last looked, or is in a long slice. */
    private static final long STAND_IN_NANOS = 10_000_000;

    /** How many late seats are taken over at a time. */
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

    /** The seat whose slice it runs now. Set (release) for the watchdog, which gets it (acquire). */
    private final AtomicReference<@Nullable Seat> running = new AtomicReference<>();

    /** Why it runs no more slices, as a part of a sentence; null if it does. */
    // Volatile: set by the thread that abandons it or by itself, read by itself and by HostWatch, which replaces it.
    private volatile @Nullable String lost;

    /** Creates one that is not started. */
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

    /** Wakes it. */
    void signal() {
        pacer.signal();
    }

    /** It hangs in a slice, as a part of a sentence says: if it comes back, it runs no other. */
    void lose(String why) {
        lost = why;
    }

    /** Why it is to be replaced, as a part of a sentence; null if it runs. */
    @Nullable
    String whyLost() {
        boolean hasEnded = !thread.isAlive(); // first: a thread that ends says why before
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
        } catch (
                Throwable thrown) { // of our own code: no memory for a heap, say; HostWatch ends the world of the slice
            lost = "ended: " + FailureReport.why(thrown);
            FailureReport.warn(() -> "A thread of the host is replaced: it " + lost);
        }
    }

    /** Takes over what moves of the workers that were lost in this slot. */
    private void adopt() {
        for (Seat seat : crew.all()) {
            if (adopts(seat)) {
                put(seat);
            }
        }
    }

    /** Runs one slice; or waits if none is due. */
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
        // A rogue comes after all other seats, also after seats that are late elsewhere. A worker that is never idle
        // looks now and then whether another worker is in a slice that is as long as several.
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
            if (!turned) { // else others may be in the inbox whose signals have ended the last wait
                await(nowNanos);
            }
        }
    }

    /**
     * Runs a slice of a seat that was signalled. The others are where another worker finds them, should this one hang in it. Returns
     * whether there was one.
     */
    private boolean takeInbox(ThreadTimes times) {
        waiting.reserve(); // before it has taken any: if there is no memory, they stay where they are
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
            if (!isOfLostWorker(seat.home())) { // else it is being ended
                seat.offer(); // it has moved: to its new home
            }
            seat = next == null
                    ? inbox.takeOldest()
                    : next; // until there is none: the signals have ended the last wait
        }
        return false;
    }

    /** Whether a home is a worker that was lost before in this slot. */
    private boolean isOfLostWorker(int home) {
        return home >= 0 && home < number && crew.slotOf(home) == slot;
    }

    /** Takes over a seat of a worker that was lost before in this slot, unless it is bound to that. */
    private boolean adopts(Seat seat) {
        int home = seat.home(); // once: another worker may take it meanwhile
        return isOfLostWorker(home) && seat.mayBeAdopted() && claims(seat, home);
    }

    /** Claims a seat that is to be put into a heap, for which there is room then: a seat in no heap would be forgotten. */
    private boolean claims(Seat seat, int home) {
        waiting.reserve();
        return seat.claim(home, number);
    }

    /** Runs a slice of a seat that it has claimed. */
    private void runSlice(Seat seat, ThreadTimes times) {
        seat.begin();
        long dueNanos = seat.nextNanos();
        crew.earliestNanos.setRelease(slot, nextDueNanos());
        running.setRelease(seat);
        boolean takesLong = seat.takesLong(); // asking takes a microsecond, which is much beside short slices
        long waitedNanos = takesLong ? times.waitedNanos() : 0;
        long startedNanos = System.nanoTime();
        long wantedNanos = seat.ticks.runSlice(times);
        long sliceNanos = System.nanoTime() - startedNanos;
        if (takesLong) {
            sliceNanos -= times.waitedNanos() - waitedNanos; // other programs had the core: no cost of the world
        }
        if (wantedNanos == HostedTicks.ENDED) {
            if (!seat.end()) { // ended before: this thread was abandoned in it, and is being replaced
                lose(seat.whyLost());
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
     * When the slice after this one is due, or was: if it is late, this worker has more to do than it can, and one that is idle takes seats
     * over. A rogue is late by itself.
     */
    private long nextDueNanos() {
        if (ready.isEmpty()) {
            return waiting.firstNanos();
        }
        Seat next = ready.first();
        long nowNanos = crew.nowNanos();
        return next.isRogue() ? nowNanos : Math.min(nowNanos, next.nextNanos()); // later: its entry is void
    }

    /** Puts a seat that it has claimed into its heap, and lets others claim it. */
    private void put(Seat seat) {
        long nextNanos = seat.nextNanos();
        if (nextNanos != Seat.NEVER && !(seat.isQueuedAt == nextNanos && seat.isQueuedBy == number)) {
            waiting.add(nextNanos, seat, ++seat.ticket);
            seat.isQueuedAt = nextNanos;
            seat.isQueuedBy = number;
        }
        seat.release(number);
    }

    /** Sends a seat to the next worker, because this one is reserved for others. */
    private void moveAway(Seat seat) {
        seat.isQueuedAt = Seat.NOT_QUEUED; // its entry in the heap is for here
        seat.release(crew.workers.get((slot + 1) % crew.slots()).number);
        seat.signal();
    }

    /**
     * Takes over seats that are late, because their worker has no time: it has not said for so long what is due. Returns whether there were
     * any.
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

    /** Takes over seats that were signalled, and whose worker is in a slice. Returns how many there were. */
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
                    boolean isTaken = seat.mayBeAdopted(); // it may have begun just before
                    if (isTaken) {
                        seat.isQueuedAt = Seat.NOT_QUEUED; // an entry there is void, should it return
                    }
                    seat.release(isTaken ? number : other.number);
                    crew.inboxes[isTaken ? slot : other.slot].add(seat); // here its next slice is at once
                    taken += isTaken ? 1 : 0;
                    isPutBack |= !isTaken;
                } else if (seat.home() != other.number) {
                    seat.offer(); // it has moved: to its new home
                } else {
                    crew.inboxes[other.slot].add(seat);
                    isPutBack = true;
                }
                seat = next;
            }
            if (isPutBack) {
                // It, or one in its place, may have found nothing meanwhile. Not this one again: it would never rest.
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

    /** When another worker may need this one: the next one, and those after it as long as they are in a slice. */
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

    private void await(long nowNanos) {
        crew.earliestNanos.setRelease(slot, waiting.firstNanos());
        if (crew.settings.lockStep != null) {
            pacer.awaitSignal(MAX_WAIT_NANOS);
            return;
        }
        // If there was nothing to take over although it is time, the late seats are bound: look again later.
        long standIn = Math.max(nowNanos + Crew.GRACE_NANOS, standInNanos(crew.graceNanos()));
        long maxNanos = crew.slots() > 1 && crew.seats()[0] != null ? STAND_IN_NANOS : MAX_WAIT_NANOS;
        pacer.awaitUntilOrSignal(Math.min(nowNanos + maxNanos, Math.min(waiting.firstNanos(), standIn)));
    }
}
