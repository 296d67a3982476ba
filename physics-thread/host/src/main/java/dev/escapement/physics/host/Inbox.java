package dev.escapement.physics.host;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The seats that want a turn now: a stack to which any thread adds, and of which a worker takes all. A seat is in one at most.
 *
 * <p>Any thread may call any method. Lock-free, and allocates nothing.
 */
final class Inbox {

    // compareAndSet() of offer() releases nextSignalled to getAndSet() of takeAll(), which acquires it.
    private final AtomicReference<@Nullable Seat> first = new AtomicReference<>();

    private final Runnable wake;

    /** Creates an empty one. What wakes the worker is called after each offer. */
    Inbox(Runnable wake) {
        this.wake = wake;
    }

    void offer(Seat seat) {
        add(seat);
        wake.run();
    }

    /** Adds a seat as {@link #offer} does, but wakes nothing. */
    void add(Seat seat) {
        Seat before;
        do {
            before = first.getPlain();
            seat.nextSignalled = before;
        } while (!first.compareAndSet(before, seat));
    }

    /** Puts back what is left of the seats that {@link #takeAll()} has taken, and wakes nothing. */
    void putBack(@Nullable Seat rest) {
        Seat seat = rest;
        if (seat == null || first.compareAndSet(null, seat)) {
            return;
        }
        while (seat != null) {
            Seat next = seat.nextSignalled;
            add(seat);
            seat = next;
        }
    }

    /** Takes all, linked by {@link Seat#nextSignalled}, the latest first. */
    @Nullable
    Seat takeAll() {
        return first.getOpaque() == null ? null : first.getAndSet(null);
    }
}
