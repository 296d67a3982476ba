package dev.escapement.render.interpolation;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * What has happened to each block in the current round: nothing, one thread has taken it, or it is done.
 *
 * <pre>{@code
 * if (!blocks.isDone(b) && blocks.take(b)) {
 *     fill(b); // no other thread does
 *     blocks.done(b);
 * }
 * }</pre>
 *
 * <p>One thread begins a round, before it lets others work in it and after it has waited for them. In a round any thread may call the other
 * methods; none waits. Allocates nothing unless the number of blocks grows.
 */
final class BlockStates {

    /** The number of the round, even; a block holds it once it is done, the odd number after it while it is taken. */
    private long round;

    private AtomicLongArray states = new AtomicLongArray(0);

    /** Begins a round in which nothing has happened to any block. */
    void begin(int blocks) {
        round += 2;
        if (blocks > states.length()) {
            states = new AtomicLongArray(blocks);
        }
    }

    /** The number of the round, which no other has. */
    long round() {
        return round;
    }

    /** Takes a block for the caller. False if it was taken before in this round. */
    boolean take(int b) {
        long before = states.get(b);
        // A compare-and-set, so that only one of several threads takes the block.
        return before < round && states.compareAndSet(b, before, round + 1);
    }

    /** Declares done what the caller has taken. */
    void done(int b) {
        states.setRelease(b, round); // pairs with the acquire in isDone: who sees this sees the whole block
    }

    boolean isDone(int b) {
        return states.getAcquire(b) == round; // acquire: pairs with the release in done
    }
}
