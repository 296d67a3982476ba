package dev.escapement.state.input;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * The numbers of the senders of one ring, shared by all of its views. A number is taken from the join until the physics thread has taken the
 * leave, so levels exist for no more senders than there are places here.
 *
 * <p>Any thread joins; a sender is freed without a lock, because the physics thread does it.
 */
final class SenderNumbers {

    private static final int NONE = 0;

    /** The numbers that have joined; {@link #NONE} at a free place. */
    private final AtomicIntegerArray joined = new AtomicIntegerArray(InputFrame.MAX_SENDERS);

    private int last;

    /** Takes the next number, which was never taken before. */
    synchronized int next() {
        if (last == Integer.MAX_VALUE) {
            throw new IllegalStateException("all numbers of senders were given in this run; start another service");
        }
        int number = last + 1;
        take(number);
        return number;
    }

    /** Takes a number that something else has given. */
    synchronized void take(int number) {
        if (number < 1) {
            throw new IllegalArgumentException("a sender's number must be 1 or more, but is " + number
                    + "; 0 stands for this process, which offers without joining");
        }
        if (indexOf(number) >= 0) {
            throw new IllegalArgumentException("sender " + number + " has joined, and no tick has taken its leave;"
                    + " pass another number, or leave first");
        }
        int free = indexOf(NONE);
        if (free < 0) {
            throw new IllegalStateException(InputFrame.MAX_SENDERS + " senders have joined, which is the most;"
                    + " refuse the next one until one of them has left");
        }
        joined.set(free, number);
        last = Math.max(last, number);
    }

    boolean isFull() {
        return indexOf(NONE) < 0;
    }

    /** Lets the number go, if it is taken. */
    void free(int number) {
        int at = indexOf(number);
        if (at >= 0) {
            joined.compareAndSet(at, number, NONE); // fails only if another call has freed it
        }
    }

    /** Lets the next number be higher than one that is in use elsewhere. */
    synchronized void skipTo(int number) {
        last = Math.max(last, number);
    }

    private int indexOf(int number) {
        for (int i = 0; i < joined.length(); i++) {
            if (joined.get(i) == number) {
                return i;
            }
        }
        return -1;
    }
}
