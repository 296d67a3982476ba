package dev.escapement.cluster.aeron;

import dev.escapement.physics.spi.Divergence;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Compares the states of the nodes while they run: the hashes that each reports through the log, and this node's own. Each node logs which
 * node differs from the majority; that node ends. If nodes differ without a majority, each logs that, and all continue.
 *
 * <p>One thread, that of the log.
 */
final class StateCheck implements HashVotes.Verdict {

    private static final System.Logger LOG = System.getLogger("dev.escapement.cluster");

    private final CommittedTicks ticks;
    private final HashVotes votes;
    private final int node;
    private final long client;
    private final Consumer<TickHashes> report;

    /**
     * Creates the check of a node, whose client in this process has this number.
     *
     * @param report takes the hashes that the client is to report
     */
    StateCheck(ClusterNode node, long client, CommittedTicks ticks, Consumer<TickHashes> report) {
        this.ticks = ticks;
        this.client = client;
        this.report = report;
        this.node = node.number();
        votes = new HashVotes(node.hosts().size(), this);
    }

    /** The client of a node has reported hashes. */
    void reported(int from, long by, TickHashes hashes) {
        votes.add(from, by, hashes);
    }

    @Override
    public void differs(int which, long by, Divergence found) {
        if (which == node && by == client) {
            ticks.differs(found);
        } else if (which != node) { // ignores reports of earlier processes of this node
            LOG.log(
                    System.Logger.Level.ERROR,
                    "The state of node " + which + " differs from that of most others, so it ends: " + found);
        }
    }

    @Override
    public void disputed(List<@Nullable TickHashes> reported) {
        List<TickHashes> known = reported.stream().filter(Objects::nonNull).toList();
        TickHashes own = Objects.requireNonNullElse(reported.get(node), known.get(0));
        Divergence found = known.stream()
                .filter(other -> !other.isSameAs(own))
                .findFirst()
                .map(own::differenceFrom)
                .orElseThrow();
        ticks.disputed(found);
        LOG.log(
                System.Logger.Level.ERROR,
                "The states of nodes differ after tick " + found.tick() + ", and no majority says which is right: "
                        + words(reported, found.tick())
                        + ". All continue, each with its own state; stop those that you trust"
                        + " less, delete their folders and start them: they continue from the leader's state");
    }

    private static String words(List<@Nullable TickHashes> reported, long tick) {
        return IntStream.range(0, reported.size())
                .mapToObj(which -> "node " + which + " reported "
                        + (reported.get(which) == null
                                ? "nothing"
                                : Long.toHexString(reported.get(which).hashAfter(tick))))
                .collect(Collectors.joining(", "));
    }

    @Override
    public void settled(long tick) {
        ticks.disputed(null);
        LOG.log(System.Logger.Level.INFO, "After tick " + tick + ", the states of most nodes are the same again");
    }

    /** Called at each cut: reports the hashes of new ticks, or compares them if a majority agreed before, because this node catches up. */
    void compareOwn() {
        TickHashes own;
        while ((own = ticks.hashes.take()) != null) {
            TickHashes agreed = votes.agreed(own.lastTick());
            if (agreed == null) {
                report.accept(own);
            } else if (!agreed.isSameAs(own)) {
                report.accept(own);
                ticks.differs(own.differenceFrom(agreed));
            }
        }
    }
}
