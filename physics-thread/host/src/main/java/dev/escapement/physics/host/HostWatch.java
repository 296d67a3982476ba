package dev.escapement.physics.host;

import dev.escapement.physics.slice.SlicedRun;
import dev.escapement.physics.usercode.Watchdog;
import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Watchdog thread of a host. At regular times it abandons hanging worlds, replaces lost workers, and finds the worlds that exceed their
 * budgets. No other thread replaces workers.
 *
 * <p><b>Budgets</b> are max-min fair (Bertsekas and Gallager, Data Networks, 6.5.2): the part of the cores that a world does not need goes
 * to the other worlds, by weight. A world is over its budget if it needs more than its part, or more than one thread. A rogue is a world
 * over its budget that needs more than a quarter of a core. While some worlds are rogues and others are not, one worker is reserved for the
 * worlds that are not.
 */
final class HostWatch {

    private static final long MAX_LOOK_NANOS = 100_000_000;

    private final Crew crew;
    private final Pacer pacer = new Pacer(NanoClock.system(), Waiter.system(), WaitStrategy.PARK_ONLY);
    private final Hang[] hangs;

    /**
     * The time between two checks of the workers. A world with a shorter watchdog shortens it. Volatile: threads that add worlds write it,
     * and the watchdog thread reads it.
     */
    private volatile long lookNanos = MAX_LOOK_NANOS;

    HostWatch(Crew crew) {
        this.crew = crew;
        hangs = new Hang[crew.slots()];
        Arrays.setAll(hangs, slot -> new Hang());
        lookAtLeastEvery(crew.settings.watchdogNanos);
    }

    /** Shortens the time between two checks for a watchdog of {@code limitNanos}; 0 means no watchdog. */
    synchronized void lookAtLeastEvery(long limitNanos) {
        if (limitNanos > 0) {
            lookNanos = Math.min(lookNanos, limitNanos / Watchdog.LOOKS);
        }
    }

    void start() {
        crew.newThread(this::run, "escapement-host-watch").start();
    }

    void stop() {
        pacer.cancel();
    }

    private void run() {
        NanoClock clock = NanoClock.system();
        long sharedNanos = clock.nanoTime();
        long dueNanos = sharedNanos + lookNanos;
        while (pacer.awaitUntil(dueNanos)) {
            // Without drift: else twenty late looks would tell a hang of 2 s half a second late. After a suspension of
            // the process one look comes at once.
            dueNanos = Math.max(dueNanos + lookNanos, clock.nanoTime());
            try {
                look();
                if (dueNanos - sharedNanos >= MAX_LOOK_NANOS) {
                    sharedNanos = dueNanos;
                    share(crew.all());
                    crew.answers.helpIfStuck();
                }
            } catch (Throwable noMemory) {
                // the next check tries again
            }
        }
    }

    private void look() {
        for (int slot = 0; slot < hangs.length; slot++) {
            Worker worker = crew.workers.get(slot);
            String lost = worker.whyLost();
            Seat running = worker.running(); // read after whyLost(): a lost worker starts no other slice
            if (lost != null) {
                crew.replace(worker, lost);
                // A negative home means that the world has ended, because the watchdog abandoned the worker in this
                // world.
                if (running != null && running.home() >= 0) {
                    running.orphan("a thread of the host " + lost);
                }
            } else {
                hangs[slot].look(running);
            }
        }
    }

    /** Decides which worlds overrun their budgets, which of these are rogues (need much of a core), and which worker runs no rogues. */
    void share(Seat[] seats) {
        double[] needed = new double[seats.length]; // no stream, which took a quarter of the look of an idle host
        Arrays.setAll(needed, i -> seats[i].utilisation());
        double level = level(seats, needed);
        int rogues = 0;
        for (int i = 0; i < seats.length; i++) {
            seats[i].budget(needed[i], Math.min(1, seats[i].weight * level));
            rogues += seats[i].isRogue() ? 1 : 0;
        }
        crew.reserved = hangs.length > 1 && rogues > 0 && rogues < seats.length ? unbound(seats) : -1;
    }

    /** Returns the share of a core for each unit of weight at which all cores are used; infinite if there are cores enough for all. */
    private double level(Seat[] seats, double[] needed) {
        double level = 0;
        while (true) {
            double left = crew.slots();
            double weights = 0;
            for (int i = 0; i < seats.length; i++) {
                double weight = seats[i].weight;
                if (Math.min(1, needed[i]) <= weight * level) {
                    left -= Math.min(1, needed[i]);
                } else {
                    weights += weight;
                }
            }
            double next = weights == 0 ? Double.POSITIVE_INFINITY : left / weights;
            if (next <= level) { // stops when the higher share satisfies no further world
                return level;
            }
            level = next;
        }
    }

    /** Returns a slot to whose worker no rogue is bound; -1 if there is none. */
    private int unbound(Seat[] seats) {
        for (int slot = crew.slots() - 1; slot >= 0; slot--) {
            int at = slot;
            if (Arrays.stream(seats)
                    .noneMatch(seat ->
                            seat.isRogue() && !seat.ticks.world().mayMove() && crew.slotOf(seat.home()) == at)) {
                return slot;
            }
        }
        return -1;
    }

    /** Measures how long a worker has been in one call of user code. */
    private final class Hang {

        private @Nullable Seat seen;
        private @Nullable Watchdog looks;

        /** Checks once; abandons the worker if the call has taken longer than the limit. */
        void look(@Nullable Seat seat) {
            if (seat != seen) {
                seen = seat;
                looks = seat == null ? null : new Watchdog(seat.ticks.world().guard());
            }
            if (seat != null && looks != null && !seat.isEnding()) {
                SlicedRun.World world = seat.ticks.world();
                long limitNanos = world.watchdogNanos() > 0 ? world.watchdogNanos() : crew.settings.watchdogNanos;
                int alike = looks.look();
                if (limitNanos > 0 && alike >= Watchdog.LOOKS && alike * lookNanos >= limitNanos) {
                    long crossings = looks.seen();
                    // Not on this thread: abandon closes devices and hooks of the world, and calls its handler, which
                    // may take long.
                    crew.newThread(() -> seat.ticks.abandon(crossings, limitNanos), "escapement-host-end")
                            .start();
                    looks = new Watchdog(world.guard()); // a new count: else each look would abandon the worker again
                }
            }
        }
    }
}
