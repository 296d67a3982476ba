package dev.escapement.cluster.aeron;

import dev.escapement.physics.Divergence;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds out which nodes have another state than most. Each node tells the hashes after its ticks through the log, so all of them come to the
 * same result.
 *
 * <p>One thread. Knows the last {@value #KEPT} that were told.
 */
final class HashVotes {

    /** Is told what is found out. */
    interface Verdict {

        /** A node differs from most, as its client has told. Once for each node. */
        void differs(int node, long client, Divergence found);

        /**
         * Nodes differ, and for a while no majority has said which of them is right. Once, until it is {@link #settled}.
         *
         * @param reported by each node that is not known to differ from most; null if it has told nothing of these ticks
         */
        void disputed(List<@Nullable TickHashes> reported);

        /** Most nodes have the same state again, after a later tick. */
        void settled(long tick);
    }

    static final int KEPT = 64;

    /** For how many ticks others may still tell, until nodes that differ are disputed. */
    static final int WAIT_TICKS = 64;

    private static final long NONE = -1;

    private final Verdict verdict;

    /** By the last of the ticks, and by node. */
    private final NavigableMap<Long, @Nullable TickHashes[]> reported = new TreeMap<>();

    private final long[] clientOf;
    private final boolean[] named;

    /** The ticks that were told as disputed, until most agree about later ones: that was the end of what is told. */
    private long disputed = NONE;

    private long settled = NONE;

    HashVotes(int nodes, Verdict verdict) {
        this.verdict = verdict;
        named = new boolean[nodes];
        clientOf = new long[nodes];
    }

    /** A node tells what comes after all that it told. With another client, it was started again, and nothing that it told before counts. */
    void add(int node, long client, TickHashes hashes) {
        if (node < 0 || node >= named.length) {
            return;
        }
        if (clientOf[node] != client) {
            clientOf[node] = client;
            named[node] = false;
            reported.values().forEach(of -> of[node] = null);
        }
        long tick = hashes.lastTick();
        reported.computeIfAbsent(tick, added -> new TickHashes[named.length])[node] = hashes;
        TickHashes agreed = agreed(tick);
        if (agreed != null) {
            nameOthers(tick, agreed);
            if (disputed != NONE && tick > disputed) {
                disputed = NONE;
                settled = tick;
                verdict.settled(tick);
            }
        }
        disputeIfToReport(tick - WAIT_TICKS);
        if (reported.size() > KEPT) {
            disputeIfToReport(reported.firstKey()); // now, because it is about to be forgotten
            reported.pollFirstEntry();
        }
    }

    /** What most nodes have told of ticks, as far as is known. */
    @Nullable
    TickHashes agreed(long tick) {
        @Nullable TickHashes[] of = reported.getOrDefault(tick, new TickHashes[0]);
        for (TickHashes hashes : of) {
            long votes = Stream.of(of)
                    .filter(other -> hashes != null && other != null && hashes.isSameAs(other))
                    .count();
            if (2 * votes > named.length) {
                return hashes;
            }
        }
        return null;
    }

    private void nameOthers(long tick, TickHashes agreed) {
        for (int node = 0; node < named.length; node++) {
            TickHashes its = unnamed(node, tick);
            if (its != null && !its.isSameAs(agreed)) {
                named[node] = true;
                verdict.differs(node, clientOf[node], its.differenceFrom(agreed));
            }
        }
    }

    /** What a node has told of ticks; null if nothing, or if it is known to differ from most. */
    private @Nullable TickHashes unnamed(int node, long tick) {
        return named[node] ? null : Objects.requireNonNull(reported.get(tick))[node];
    }

    /** If nodes differ, and nothing of that was told: one that is not in a majority is named. */
    private void disputeIfToReport(long tick) {
        if (disputed == NONE && tick > settled && reported.containsKey(tick)) {
            @Nullable TickHashes[] of = new TickHashes[named.length];
            Arrays.setAll(of, node -> unnamed(node, tick));
            List<TickHashes> known = Stream.of(of).filter(Objects::nonNull).toList();
            if (known.stream().anyMatch(hashes -> !hashes.isSameAs(known.get(0)))) {
                disputed = tick;
                verdict.disputed(Arrays.asList(of));
            }
        }
    }
}
