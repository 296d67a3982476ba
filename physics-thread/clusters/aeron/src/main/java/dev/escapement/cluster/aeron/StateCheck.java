package dev.escapement.cluster.aeron;

import dev.escapement.physics.spi.TickSource;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Compares the states of the nodes while they run. Each node reports its hashes through the log, so that all nodes find the same
 * differences. Each node logs which node differs from the majority; that node ends. If nodes differ without a majority, each node logs
 * that, and all continue.
 *
 * <p>Only the thread that reads the log uses it. Keeps the reports of the last {@value #KEPT} blocks of ticks.
 */
final class StateCheck {

    static final int KEPT = 64;

    /** The ticks after which a difference without a majority counts as a dispute. Until then other nodes may still report. */
    static final int WAIT_TICKS = 64;

    private static final System.Logger LOG = System.getLogger("dev.escapement.cluster");
    private static final long NONE = -1;

    private final CommittedTicks ticks;
    private final int nodeNumber;
    private final long clientId;
    private final Consumer<TickHashes> report;

    /** The reports by their last tick, then by node. */
    private final NavigableMap<Long, @Nullable TickHashes[]> reportsByTick = new TreeMap<>();

    private final long[] clientIds;

    /** Index: the number of a node. True if that node was already named as one that differs from the majority. */
    private final boolean[] isNamed;

    /** The last disputed tick; NONE if there is none, or if a majority agreed later. */
    private long disputedTick = NONE;

    private long settledTick = NONE;

    /**
     * Creates the check of a node. {@code clientId} is the number of its client in this process.
     *
     * @param report sends hashes to the log through the client
     */
    StateCheck(ClusterNode node, long clientId, CommittedTicks ticks, Consumer<TickHashes> report) {
        this.ticks = ticks;
        this.clientId = clientId;
        this.report = report;
        nodeNumber = node.number();
        isNamed = new boolean[node.hosts().size()];
        clientIds = new long[isNamed.length];
    }

    /**
     * Handles the next hashes that a node's client reported. If a node reports through another client than before, it was restarted, and
     * its earlier reports do not count.
     */
    void reported(int from, long by, TickHashes hashes) {
        if (from < 0 || from >= isNamed.length) {
            return;
        }
        if (clientIds[from] != by) {
            clientIds[from] = by;
            isNamed[from] = false;
            reportsByTick.values().forEach(of -> of[from] = null);
        }
        long tick = hashes.lastTick();
        reportsByTick.computeIfAbsent(tick, added -> new TickHashes[isNamed.length])[from] = hashes;
        TickHashes agreed = agreed(tick);
        if (agreed != null) {
            nameOthers(tick, agreed);
            if (disputedTick != NONE && tick > disputedTick) {
                disputedTick = NONE;
                settledTick = tick;
                settled(tick);
            }
        }
        disputeIfToReport(tick - WAIT_TICKS);
        if (reportsByTick.size() > KEPT) {
            disputeIfToReport(reportsByTick.firstKey()); // before the report is forgotten
            reportsByTick.pollFirstEntry();
        }
    }

    /** Returns the hashes that a majority has reported for a block of ticks; null if none has so far. */
    private @Nullable TickHashes agreed(long tick) {
        @Nullable TickHashes[] of = reportsByTick.getOrDefault(tick, new TickHashes[0]);
        for (TickHashes hashes : of) {
            long votes = Stream.of(of)
                    .filter(other -> hashes != null && other != null && hashes.isSameAs(other))
                    .count();
            if (2 * votes > isNamed.length) {
                return hashes;
            }
        }
        return null;
    }

    private void nameOthers(long tick, TickHashes agreed) {
        for (int which = 0; which < isNamed.length; which++) {
            TickHashes its = unnamed(which, tick);
            if (its != null && !its.isSameAs(agreed)) {
                isNamed[which] = true;
                differs(which, clientIds[which], its.differenceFrom(agreed));
            }
        }
    }

    /**
     * Returns the hashes that a node has reported for a block of ticks; null if it has not, or if it is known to differ from the majority.
     */
    private @Nullable TickHashes unnamed(int which, long tick) {
        return isNamed[which] ? null : Objects.requireNonNull(reportsByTick.get(tick))[which];
    }

    /** Reports a dispute, once, if nodes differ without a majority. Nodes that differ from a majority were named before. */
    private void disputeIfToReport(long tick) {
        if (disputedTick == NONE && tick > settledTick && reportsByTick.containsKey(tick)) {
            @Nullable TickHashes[] of = new TickHashes[isNamed.length];
            Arrays.setAll(of, which -> unnamed(which, tick));
            List<TickHashes> known = Stream.of(of).filter(Objects::nonNull).toList();
            if (known.stream().anyMatch(hashes -> !hashes.isSameAs(known.get(0)))) {
                disputedTick = tick;
                disputed(Arrays.asList(of), known);
            }
        }
    }

    /** Logs that a node differs from the majority. If it is this node, ends it instead. Called once for each node. */
    private void differs(int which, long by, TickSource.Divergence found) {
        if (which == nodeNumber && by == clientId) {
            ticks.endAsDiffering(found);
        } else if (which != nodeNumber) { // ignores reports of earlier processes of this node
            LOG.log(
                    System.Logger.Level.ERROR,
                    "The state of node " + which + " differs from that of most others, so it ends: " + found);
        }
    }

    /**
     * Logs that nodes differ, and that there is no majority after {@value #WAIT_TICKS} more ticks. Called once until {@link #settled}.
     *
     * @param by    the reports by node; null for a node that has not reported these ticks, or is known to differ from the majority
     * @param known the same reports, without the nulls
     */
    private void disputed(List<@Nullable TickHashes> by, List<TickHashes> known) {
        TickHashes own = Objects.requireNonNullElse(by.get(nodeNumber), known.get(0));
        TickSource.Divergence found = known.stream()
                .filter(other -> !other.isSameAs(own))
                .findFirst()
                .map(own::differenceFrom)
                .orElseThrow();
        ticks.noteDivergence(found);
        LOG.log(
                System.Logger.Level.ERROR,
                "The states of nodes differ after tick " + found.tick() + ", and no majority says which is right: "
                        + words(by, found.tick())
                        + ". All continue, each with its own state; stop those that you trust"
                        + " less, delete their folders and start them: they continue from the leader's state");
    }

    private static String words(List<@Nullable TickHashes> by, long tick) {
        return IntStream.range(0, by.size())
                .mapToObj(which -> "node " + which + " reported "
                        + (by.get(which) == null
                                ? "nothing"
                                : Long.toHexString(by.get(which).hashAfter(tick))))
                .collect(Collectors.joining(", "));
    }

    /** Logs that a majority has the same state again, after a later tick. */
    private void settled(long tick) {
        ticks.noteDivergence(null);
        LOG.log(System.Logger.Level.INFO, "After tick " + tick + ", the states of most nodes are the same again");
    }

    /**
     * Reports the hashes of new ticks. If this node is catching up and a majority has already agreed on these ticks, compares the hashes
     * with the majority's instead. Called when the input of a tick ends.
     */
    void compareOwn() {
        TickHashes own;
        while ((own = ticks.hashes.take()) != null) {
            TickHashes agreed = agreed(own.lastTick());
            if (agreed == null) {
                report.accept(own);
            } else if (!agreed.isSameAs(own)) {
                report.accept(own);
                ticks.endAsDiffering(own.differenceFrom(agreed));
            }
        }
    }
}
