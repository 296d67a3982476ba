package dev.escapement.physics.host;

import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Binary heap of seats by an instant, the earliest first. An entry keeps the ticket that its seat had at {@link #add}. If the seat has
 * another ticket now, it was added to a heap again, and the entry is void.
 *
 * <p>One thread. Allocates only when it grows.
 */
final class SeatHeap {

    private long[] keys = new long[16];
    private @Nullable Seat[] seats = new Seat[16];
    private int[] tickets = new int[16];
    private int size;

    boolean isEmpty() {
        return size == 0;
    }

    long firstNanos() {
        return size == 0 ? Long.MAX_VALUE : keys[0];
    }

    Seat first() {
        return Objects.requireNonNull(seats[0]);
    }

    /** Returns the {@link Seat#ticket} that the first seat had when it was added. */
    int firstTicket() {
        return tickets[0];
    }

    /** Makes room for one more seat, so that the next {@link #add} throws nothing. */
    void reserve() {
        if (size == keys.length) {
            long[] moreKeys = Arrays.copyOf(keys, 2 * size);
            @Nullable Seat[] moreSeats = Arrays.copyOf(seats, 2 * size);
            tickets = Arrays.copyOf(tickets, 2 * size);
            seats = moreSeats;
            keys = moreKeys;
        }
    }

    void add(long nanos, Seat seat, int ticket) {
        reserve();
        int at = size++;
        while (at > 0 && keys[(at - 1) / 2] > nanos) {
            move((at - 1) / 2, at);
            at = (at - 1) / 2;
        }
        set(at, nanos, seat, ticket);
    }

    void removeFirst() {
        size--;
        long nanos = keys[size];
        Seat seat = Objects.requireNonNull(seats[size]);
        int ticket = tickets[size];
        seats[size] = null;
        int at = 0;
        int child;
        while ((child = 2 * at + 1) < size) {
            if (child + 1 < size && keys[child + 1] < keys[child]) {
                child++;
            }
            if (keys[child] >= nanos) {
                break;
            }
            move(child, at);
            at = child;
        }
        if (size > 0) {
            set(at, nanos, seat, ticket);
        }
    }

    private void move(int from, int to) {
        set(to, keys[from], Objects.requireNonNull(seats[from]), tickets[from]);
    }

    private void set(int at, long nanos, Seat seat, int ticket) {
        keys[at] = nanos;
        seats[at] = seat;
        tickets[at] = ticket;
    }
}
