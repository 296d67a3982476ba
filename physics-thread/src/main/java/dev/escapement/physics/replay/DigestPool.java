package dev.escapement.physics.replay;

import java.util.Queue;
import org.jctools.queues.varhandle.SpscVarHandleArrayQueue;

/**
 * A pool of digests: those of ticks that were written are used again. As many are in use as ticks wait for the disk, two or three as a rule: if each
 * place of the ring kept its own, every one of them would grow as large as ticks get, and be out of the caches when its turn comes.
 *
 * <p>The physics thread takes, the recording thread gives back. Neither waits.
 */
final class DigestPool {

    /** The digests of a place of the ring that holds no tick with bodies. */
    private final BodyDigests none;

    private final Queue<BodyDigests> unused;

    /** Creates a pool for a ring with so many places. */
    DigestPool(int components, int places) {
        none = new BodyDigests(components);
        unused = new SpscVarHandleArrayQueue<>(places);
    }

    LoggedTick newTick() {
        return new LoggedTick(none);
    }

    /** Gives digests of its own to a tick. Physics thread; allocates only when more ticks wait than ever before. */
    BodyDigests lend(LoggedTick tick) {
        if (tick.digests == none) {
            BodyDigests used = unused.poll();
            tick.digests = used == null ? new BodyDigests(none.components) : used;
        }
        return tick.digests;
    }

    /** Takes them back from a tick that was written. Recording thread. */
    void takeBack(LoggedTick tick) {
        if (tick.digests != none) {
            unused.offer(tick.digests);
            tick.digests = none;
        }
    }
}
