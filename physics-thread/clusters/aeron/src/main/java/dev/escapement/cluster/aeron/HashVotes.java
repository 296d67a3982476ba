package dev.escapement.cluster.aeron;

import dev.escapement.physics.spi.Divergence;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the nodes whose state differs from that of the majority. Each node reports its hashes through the log, so all find the same.
 *
 * <p>One thread. Keeps the reports of the last {@value #KEPT} blocks of ticks.
 */
final class HashVotes {

    /** Is notified of the results. */
    interface Verdict {

        /** A node, by the report of its client, differs from the majority. Called once for each node. */
        void differs(int node, long client, Divergence found);

        /**
         * Nodes differ, and after {@value HashVotes#WAIT_TICKS} more ticks there is still no majority. Called once, until {@link #settled}.
         *
         * @param reported by node; null for a node that has not reported these ticks, or is known to differ from the majority
         */
        void disputed(List<@Nullable TickHashes> reported);

        /** A majority has the same state again, after a later tick. */
        void settled(long tick);
    }

    static final int KEPT = 64;

    /** Nodes that differ are disputed after this many ticks, in which others may still report. */
    static final int WAIT_TICKS = 64;

    private static final long NONE = -1;

    private final Verdict verdict;

    /** The reports by their last tick, and by node. */
    private final NavigableMap<Long, @Nullable TickHashes[]> reported = new TreeMap<>();

    private final long[] clientOf;
    private final boolean[] named;

    /** The last disputed tick; NONE if there is none, or a majority agreed later. */
    private long disputed = NONE;

    private long settled = NONE;

    HashVotes(int nodes, Verdict verdict) {
        this.verdict = verdict;
        named = new boolean[nodes];
        clientOf = new long[nodes];
    }

    /** A node reports its next hashes. Another client means a restart: earlier reports of the node do not count. */
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

    /** The hashes of ticks that a majority has reported; null if none has so far. */
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

    /** The hashes of ticks that a node has reported; null if none, or if it is known to differ from the majority. */
    private @Nullable TickHashes unnamed(int node, long tick) {
        return named[node] ? null : Objects.requireNonNull(reported.get(tick))[node];
    }

    /** Notifies once if nodes differ without a majority: nodes that differ from a majority were named before. */
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
