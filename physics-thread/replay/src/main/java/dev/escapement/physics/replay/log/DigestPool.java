package dev.escapement.physics.replay.log;

import dev.escapement.physics.replay.format.BodyDigests;
import dev.escapement.physics.replay.format.LogHeader;
import dev.escapement.physics.replay.format.LoggedTick;
import java.util.Queue;
import org.jctools.queues.varhandle.SpscVarHandleArrayQueue;

/**
 * A pool of digests, which reuses the digests of ticks that were written. Only ticks that wait for the disk use one, usually two or three. If
 * each place of the ring had its own, all would grow to the largest size, and be out of the caches when they are used.
 *
 * <p>The physics thread takes, the recording thread gives back. Neither waits.
 */
final class DigestPool {

    /** Stands for no digests, in a place of the ring that has no tick with bodies. */
    private final BodyDigests none;

    private final Queue<BodyDigests> unused;

    /** Creates a pool for a ring with this many places. */
    DigestPool(LogHeader header, int places) {
        none = header.newDigests();
        unused = new SpscVarHandleArrayQueue<>(places);
    }

    LoggedTick newTick() {
        return new LoggedTick(none);
    }

    /** Gives a tick its own digests. Physics thread; allocates only when more ticks wait than ever before. */
    BodyDigests lend(LoggedTick tick) {
        if (tick.digests == none) {
            BodyDigests used = unused.poll();
            tick.digests = used == null ? none.another() : used;
        }
        return tick.digests;
    }

    /** Takes the digests back from a tick that was written. Recording thread. */
    void takeBack(LoggedTick tick) {
        if (tick.digests != none) {
            unused.offer(tick.digests);
            tick.digests = none;
        }
    }
}
