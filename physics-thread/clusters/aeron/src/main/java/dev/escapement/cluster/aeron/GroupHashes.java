package dev.escapement.cluster.aeron;

import dev.escapement.physics.Divergence;
import dev.escapement.physics.replay.BodyStates;
import dev.escapement.physics.replay.GroupHash;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A hash of each group of bodies after every {@value #EVERY}th tick, of the last {@value HashVotes#TICKS} ticks: to name where states differ.
 *
 * <p>One thread. Allocates only when the number of groups changes.
 */
final class GroupHashes {

    static final int EVERY = 16;

    /** Of more groups nothing is kept, so that all have room in a batch. */
    private static final int MOST_GROUPS = 4096;

    private final int[][] hashes = new int[HashVotes.TICKS / EVERY][0];
    private final long[] tickOf = new long[hashes.length];
    private @Nullable GroupHash hash;

    /** Where a tick is told of that may be between two of those. */
    static long tickOf(long tick) {
        return (tick + EVERY - 1) / EVERY * EVERY;
    }

    private static int place(long tick) {
        return (int) (tick / EVERY % (HashVotes.TICKS / EVERY));
    }

    /** Hashes the bodies as they are after a tick. */
    void read(long tick, BodyStates bodies) {
        int count = bodies.bodyCount();
        int groups = GroupHash.groups(count);
        int[] into = room(tick, groups > MOST_GROUPS ? 0 : groups);
        GroupHash by = hash == null ? new GroupHash(bodies.stateComponents().size()) : hash;
        hash = by;
        for (int group = 0; group < into.length; group++) {
            into[group] = by.of(bodies, group, count);
        }
    }

    /** Where the hashes after a tick go. */
    int[] room(long tick, int groups) {
        int place = place(tick);
        tickOf[place] = tick;
        if (hashes[place].length != groups) {
            hashes[place] = new int[groups];
        }
        return hashes[place];
    }

    /** Those after a tick; none if they are not known. */
    int[] after(long tick) {
        int place = place(tick);
        return tickOf[place] == tick ? hashes[place] : new int[0];
    }

    /** Nothing is known any more. */
    void clear() {
        Arrays.fill(tickOf, 0);
    }

    /** The first group that differs after a tick, {@link Divergence#UNKNOWN} if one of both is not known, or none differs. */
    int firstDifference(GroupHashes other, long tick) {
        int[] own = after(tick);
        int[] others = other.after(tick);
        return own.length == 0 || others.length == 0 ? Divergence.UNKNOWN : Arrays.mismatch(own, others);
    }
}
