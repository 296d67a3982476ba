package dev.escapement.cluster.aeron;

import dev.escapement.physics.Divergence;
import java.lang.invoke.VarHandle;
import java.util.stream.LongStream;
import org.agrona.DirectBuffer;

/**
 * Compares the states of the nodes, while they run: what each tells through the log, and what this node has itself. A node that differs is
 * named in the log of each, and ends. If nodes differ and none has a majority, nobody knows which is right: each logs that, and they go on.
 *
 * <p>The thread of the log, except for {@link #tell}.
 */
final class StateCheck implements HashVotes.Verdict {

    private static final System.Logger LOG = System.getLogger("dev.escapement.cluster");

    /** How many ticks are told of in one entry, at most. */
    private static final int HASHES_MOST = 500;

    private final CommittedTicks ticks;
    private final HashVotes votes;
    private final int node;

    /** Of this process. */
    private final long client;

    private long sender;
    private long lastCompared;

    // Volatile: the client's thread sees it soon; nothing else is ordered by it.
    private volatile long lastAgreed;

    /** Client's thread. */
    private long lastTold;

    StateCheck(ClusterNode node, long client, CommittedTicks ticks) {
        this.ticks = ticks;
        this.client = client;
        this.node = node.number();
        votes = new HashVotes(node.hosts().size(), this);
    }

    /** A client of a node tells the hash after a tick. */
    void told(int from, long by, long tick, long hash) {
        sender = by;
        votes.add(from, by, tick, hash);
    }

    /** And before that, those of groups of bodies. */
    void toldGroups(int from, long by, long tick, DirectBuffer buffer, int at, int count) {
        votes.addGroups(from, by, tick, buffer, at, count);
    }

    @Override
    public void differs(int which, Divergence found) {
        if (which == node && sender == client) {
            ticks.differs(found);
        } else if (which != node) { // what an earlier process of this node told is of no use
            LOG.log(
                    System.Logger.Level.ERROR,
                    "The state of node " + which + " differs from that of most others, so it ends: " + found);
        }
    }

    @Override
    public void disputed(long tick) {
        ticks.disputed(votes.dispute(tick, node));
        LOG.log(
                System.Logger.Level.ERROR,
                "The states of nodes differ after tick " + tick + ", and no majority says which is right: "
                        + votes.toldAfter(tick) + ". All go on, each with its own state; stop those that you trust"
                        + " less, delete their folders and start them: they go on from the leader's state");
    }

    @Override
    public void settled(long tick) {
        ticks.disputed(null);
        LOG.log(System.Logger.Level.INFO, "After tick " + tick + ", the states of most nodes are the same again");
    }

    /** A tick was cut. A node that catches up does not tell its hashes, for most have agreed before: it compares them itself. */
    void compareOwn() {
        votes.cut();
        long until = Math.min(votes.lastAgreed(), lastWithGroups());
        long forgotten = ticks.lastRun() - HashVotes.TICKS / 2; // not all: ticks run meanwhile
        lastCompared = Math.max(lastCompared, forgotten);
        while (lastCompared < until) {
            lastCompared++;
            long hash = ticks.hashAfter(lastCompared);
            if (!votes.agrees(lastCompared, hash)) {
                ticks.differs(votes.divergence(lastCompared, hash, ticks.groups()));
            }
        }
        lastAgreed = Math.max(lastAgreed, votes.lastAgreed());
    }

    /** The last tick after which the hashes of groups are known, too. */
    private long lastWithGroups() {
        return ticks.lastRun() / GroupHashes.EVERY * GroupHashes.EVERY;
    }

    /** Adds the hashes of this node to a batch, some together, as far as most have not agreed about them. Client's thread. */
    void tell(InputBatch batch) {
        long last = lastWithGroups();
        long first = Math.max(lastTold, lastAgreed) + 1;
        if (first <= last) {
            int count = (int) Math.min(last - first + 1, HASHES_MOST);
            long firstTold = last - count + 1;
            long[] hashes = LongStream.rangeClosed(firstTold, last)
                    .map(ticks::hashAfter)
                    .toArray();
            VarHandle.acquireFence(); // the hashes were read before it is asked which tick ran last
            if (ticks.lastRun() - firstTold < HashVotes.TICKS - 1) { // otherwise some were overwritten meanwhile
                batch.groups(node, last, ticks.groups().after(last));
                batch.hashes(node, firstTold, hashes);
                lastTold = last;
            }
        }
    }

    /** This node goes on after a tick, whose state was saved. */
    void beginAfter(long tick) {
        lastCompared = tick;
        lastAgreed = tick; // before the physics thread has a last tick
        ticks.beginAfter(tick);
    }
}
