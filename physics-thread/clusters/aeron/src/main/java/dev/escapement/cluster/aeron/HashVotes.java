package dev.escapement.cluster.aeron;

import dev.escapement.physics.Divergence;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which nodes have another state than most. Each node tells the hashes after its ticks through the log, so all of them come to the
 * same result.
 *
 * <p>One thread. Knows the last {@value #KEPT} that each node has told.
 */
final class HashVotes {

    /** Is told what is found out. */
    interface Verdict {

        /** A node differs from most, as its client has told. Once for each node. */
        void differs(int node, long client, Divergence found);

        /**
         * Nodes differ, and for a while no majority has said which of them is right. Once, until it is {@link #settled}.
         *
         * @param told by each node that is not known to differ from most; null if it has told nothing of these ticks
         */
        void disputed(List<@Nullable TickHashes> told);

        /** Most nodes have the same state again, after a later tick. */
        void settled(long tick);
    }

    static final int KEPT = 64;

    /** For how many ticks others may still tell, until nodes that differ are disputed: once to twice as many. */
    static final int WAIT_TICKS = 64;

    private static final long NONE = -1;

    private final Verdict verdict;

    /** By node, and by the last of the ticks. */
    private final List<NavigableMap<Long, TickHashes>> told;

    private final long[] clientOf;
    private final boolean[] named;

    /** The ticks that were told as disputed, until most agree about later ones: that was the end of what is told. */
    private long disputed = NONE;

    private long settled = NONE;

    /** The first ticks after which nodes differed when that was looked for last. */
    private long waitsSince = NONE;

    private long cuts;

    HashVotes(int nodes, Verdict verdict) {
        this.verdict = verdict;
        told = Stream.<NavigableMap<Long, TickHashes>>generate(TreeMap::new)
                .limit(nodes)
                .toList();
        named = new boolean[nodes];
        clientOf = new long[nodes];
    }

    /** A node tells what comes after all that it told. With another client, it was started again, and nothing that it told before counts. */
    void add(int node, long client, TickHashes hashes) {
        if (node < 0 || node >= named.length) {
            return;
        }
        NavigableMap<Long, TickHashes> own = told.get(node);
        if (clientOf[node] != client) {
            clientOf[node] = client;
            named[node] = false;
            own.clear();
        }
        long tick = hashes.lastTick();
        if (!own.isEmpty() && tick <= own.lastKey()) {
            return;
        }
        if (own.size() == KEPT) {
            if (isToTell(own.firstKey())) { // now, because it is about to be forgotten
                dispute(own.firstKey());
            }
            own.pollFirstEntry();
        }
        own.put(tick, hashes);
        TickHashes agreed = agreed(tick);
        if (agreed != null) {
            nameOthers(tick, agreed);
            if (disputed != NONE && tick > disputed) {
                disputed = NONE;
                settled = tick;
                verdict.settled(tick);
            }
        }
    }

    /** What most nodes have told of ticks, as far as is known. */
    @Nullable
    TickHashes agreed(long tick) {
        for (NavigableMap<Long, TickHashes> one : told) {
            TickHashes hashes = one.get(tick);
            int votes = 0;
            for (NavigableMap<Long, TickHashes> other : told) {
                votes += hashes != null && isSame(hashes, other.get(tick)) ? 1 : 0;
            }
            if (2 * votes > named.length) {
                return hashes;
            }
        }
        return null;
    }

    private static boolean isSame(TickHashes hashes, @Nullable TickHashes others) {
        return others != null && hashes.isSameAs(others);
    }

    private void nameOthers(long tick, TickHashes agreed) {
        for (int node = 0; node < named.length; node++) {
            TickHashes its = told.get(node).get(tick);
            if (its != null && !named[node] && !its.isSameAs(agreed)) {
                named[node] = true;
                verdict.differs(node, clientOf[node], its.differenceFrom(agreed));
            }
        }
    }

    /** Another tick was cut. Now and then, looks for nodes that have differed for a while, and none of which is in a majority. */
    void cut() {
        cuts++;
        if (cuts % WAIT_TICKS == 0) {
            long first = told.stream()
                    .flatMap(one -> one.keySet().stream())
                    .filter(this::isToTell)
                    .min(Long::compare)
                    .orElse(NONE);
            if (first != NONE && first == waitsSince) {
                dispute(first);
            }
            waitsSince = first;
        }
    }

    private void dispute(long tick) {
        disputed = tick;
        verdict.disputed(toldOf(tick));
    }

    private List<@Nullable TickHashes> toldOf(long tick) {
        @Nullable TickHashes[] of = new TickHashes[named.length];
        Arrays.setAll(of, node -> named[node] ? null : told.get(node).get(tick));
        return Arrays.asList(of);
    }

    /** Whether two nodes differ, and nothing of that was told: one that is not in a majority is named. */
    private boolean isToTell(long tick) {
        if (disputed != NONE || tick <= settled) {
            return false;
        }
        TickHashes first = null;
        for (int node = 0; node < named.length; node++) {
            TickHashes its = named[node] ? null : told.get(node).get(tick);
            if (its != null && first != null && !its.isSameAs(first)) {
                return true;
            }
            first = first == null ? its : first;
        }
        return false;
    }
}
