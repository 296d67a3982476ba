package dev.escapement.state.input;

import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * The numbers of the senders of one ring. A number is in use from the join until the physics thread has taken the leave, or until a source
 * leaves whose join the ring has never accepted. So at most {@link InputFrame#MAX_SENDERS} senders have levels.
 *
 * <p>Any thread claims numbers, under a lock. Freeing takes no lock, because the physics thread frees, too.
 */
final class SenderNumbers {

    /** A lock-free set, because {@link #free} takes no lock. */
    private final Set<Integer> used = new ConcurrentSkipListSet<>();

    private int last;

    synchronized int next() {
        if (last == Integer.MAX_VALUE) {
            throw new IllegalStateException("all numbers of senders were used in this run; start another service");
        }
        int number = last + 1;
        claim(number);
        return number;
    }

    synchronized void claim(int number) {
        if (number < 1) {
            throw new IllegalArgumentException("a sender's number must be 1 or more, but is " + number
                    + "; 0 stands for this process, which offers without joining");
        }
        if (used.contains(number)) {
            throw new IllegalArgumentException("sender " + number + " has joined, and no tick has taken its leave;"
                    + " pass another number, or leave first");
        }
        if (used.size() >= InputFrame.MAX_SENDERS) {
            throw new IllegalStateException(InputFrame.MAX_SENDERS + " senders have joined, which is the maximum;"
                    + " refuse the next one until one of them has left");
        }
        last = Math.max(last, number); // first: after a stack overflow in add, next() returns another number
        used.add(number);
    }

    void free(int number) {
        used.remove(number);
    }

    /** Makes {@link #next} return only numbers above this one, because a sender of another run has had it. */
    synchronized void skipTo(int number) {
        last = Math.max(last, number);
    }
}
