package dev.escapement.physics.host;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The seats that want a slice now, the one that has waited longest first. Any thread adds to a stack; a worker takes all of it, turned
 * round, and puts back what it does not serve, which comes before what was added since. A seat is in one inbox at most.
 *
 * <p>Any thread may call any method. Lock-free, and allocates nothing.
 */
final class Inbox {

    // compareAndSet() of add() releases nextSignalled to getAndSet() of takeAdded(), which acquires it.
    private final AtomicReference<@Nullable Seat> first = new AtomicReference<>();

    /**
     * The seats that were put back, the oldest first. set() of putBack() releases nextSignalled to getAndSet() of takeRest(), which
     * acquires it.
     */
    private final AtomicReference<@Nullable Seat> rest = new AtomicReference<>();

    private final Runnable wake;

    /** Creates an empty inbox; {@code wake} wakes its worker. */
    Inbox(Runnable wake) {
        this.wake = wake;
    }

    /** Lets the worker look. */
    void wake() {
        wake.run();
    }

    /** Adds a seat, and wakes nothing. */
    void add(Seat seat) {
        Seat before;
        do {
            before = first.getPlain();
            seat.nextSignalled = before;
        } while (!first.compareAndSet(before, seat));
    }

    /** Puts back what is left of the seats that {@link #takeOldest()} has taken, and wakes nothing. The worker of the inbox only. */
    void putBack(@Nullable Seat left) {
        rest.set(left);
    }

    /** Takes all, linked by {@link Seat#nextSignalled}, the oldest first. Goes through what was put back. */
    @Nullable
    Seat takeAll() {
        Seat left = takeRest();
        Seat added = takeAdded();
        if (left == null) {
            return added;
        }
        Seat last = left;
        for (Seat next = last.nextSignalled; next != null; next = last.nextSignalled) {
            last = next;
        }
        last.nextSignalled = added;
        return left;
    }

    /** Takes what was put back or, if that is nothing, all others, as {@link #takeAll}. */
    @Nullable
    Seat takeOldest() {
        Seat left = takeRest();
        return left == null ? takeAdded() : left;
    }

    private @Nullable Seat takeRest() {
        return rest.getOpaque() == null ? null : rest.getAndSet(null);
    }

    private @Nullable Seat takeAdded() {
        Seat latest = first.getOpaque() == null ? null : first.getAndSet(null);
        Seat oldest = null;
        while (latest != null) {
            Seat before = latest.nextSignalled;
            latest.nextSignalled = oldest;
            oldest = latest;
            latest = before;
        }
        return oldest;
    }
}
