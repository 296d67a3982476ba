package dev.escapement.physics.host;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Queue of the seats that want a slice now, the longest waiting first. Any thread adds to a stack. A worker takes the whole stack, reverses
 * it, and puts back the seats that it does not serve; these come before the seats that were added since. A seat is in one inbox at most.
 *
 * <p>Any thread may call any method. Lock-free, and allocates nothing.
 */
final class Inbox {

    // The stack of added seats. compareAndSet() in add() releases nextSignalled to getAndSet() in takeAdded(), which
    // acquires it.
    private final AtomicReference<@Nullable Seat> first = new AtomicReference<>();

    /**
     * The seats that were put back, the oldest first. set() in putBack() releases nextSignalled to getAndSet() in takeRest(), which
     * acquires it.
     */
    private final AtomicReference<@Nullable Seat> rest = new AtomicReference<>();

    private final Runnable wake;

    Inbox(Runnable wake) {
        this.wake = wake;
    }

    void wake() {
        wake.run();
    }

    /** Adds a seat, without waking the worker. */
    void add(Seat seat) {
        Seat before;
        do {
            before = first.getPlain();
            seat.nextSignalled = before;
        } while (!first.compareAndSet(before, seat));
    }

    /** Puts back the rest of the seats from {@link #takeOldest()}, without waking the worker. Only the inbox's worker calls it. */
    void putBack(@Nullable Seat left) {
        rest.set(left);
    }

    /** Takes all seats, linked by {@link Seat#nextSignalled}, the oldest first. The call walks over the seats that were put back. */
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

    /**
     * Takes the seats that were put back; if there are none, the added seats. They are linked by {@link Seat#nextSignalled}, the oldest
     * first.
     */
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
