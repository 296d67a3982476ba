package dev.escapement.cluster.aeron;

import dev.escapement.physics.Divergence;
import java.util.Arrays;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;

/**
 * Finds out which nodes have another state than most. Each node tells the hash after each of its ticks through the log, so all of them come
 * to the same result.
 *
 * <p>One thread. Allocates nothing. Knows the last {@value #TICKS} ticks.
 */
final class HashVotes {

    /** Is told of a node that differs, once for each node. */
    interface Verdict {
        void differs(int node, Divergence found);
    }

    static final int TICKS = 1024;
    private static final long NONE = -1;

    private final Verdict verdict;
    private final long[][] tickOf;
    private final long[][] hashOf;
    private final GroupHashes[] groupsOf;
    private final long[] agreedTick = new long[TICKS];
    private final long[] agreedHash = new long[TICKS];
    private final long[] clientOf;
    private final boolean[] named;
    private long lastAgreed;

    HashVotes(int nodes, Verdict verdict) {
        this.verdict = verdict;
        tickOf = new long[nodes][TICKS];
        hashOf = new long[nodes][TICKS];
        groupsOf = Stream.generate(GroupHashes::new).limit(nodes).toArray(GroupHashes[]::new);
        named = new boolean[nodes];
        clientOf = new long[nodes];
        for (long[] ticks : tickOf) {
            Arrays.fill(ticks, NONE);
        }
        Arrays.fill(agreedTick, NONE);
    }

    /** The last tick after which most nodes had the same state. */
    long lastAgreed() {
        return lastAgreed;
    }

    /** A node tells the hash after one of its ticks. With another client, it was started again, and nothing of what it told before counts. */
    void add(int node, long client, long tick, long hash) {
        if (node < 0 || node >= named.length) {
            return;
        }
        isFrom(node, client);
        int place = (int) (tick % TICKS);
        if (tick <= tickOf[node][place]) {
            return;
        }
        tickOf[node][place] = tick;
        hashOf[node][place] = hash;
        if (agreedTick[place] == tick) {
            check(node, tick, hash);
        } else if (2 * votes(place, tick, hash) > named.length) {
            agreedTick[place] = tick;
            agreedHash[place] = hash;
            lastAgreed = Math.max(lastAgreed, tick);
            for (int other = 0; other < named.length; other++) {
                if (tickOf[other][place] == tick) {
                    check(other, tick, hashOf[other][place]);
                }
            }
        }
    }

    /** A node tells the hashes of groups of bodies after a tick, before that of the tick. */
    void addGroups(int node, long client, long tick, DirectBuffer buffer, int at, int count) {
        if (node >= 0 && node < named.length) {
            isFrom(node, client);
            int[] hashes = groupsOf[node].room(tick, count);
            for (int group = 0; group < count; group++) {
                hashes[group] = buffer.getInt(at + Integer.BYTES * group);
            }
        }
    }

    private void isFrom(int node, long client) {
        if (clientOf[node] != client) {
            clientOf[node] = client;
            named[node] = false;
            Arrays.fill(tickOf[node], NONE);
            groupsOf[node].clear();
        }
    }

    private void check(int node, long tick, long hash) {
        if (!named[node] && !agrees(tick, hash)) {
            named[node] = true;
            verdict.differs(node, divergence(tick, hash, groupsOf[node]));
        }
    }

    /** What is wrong with a hash with which most do not agree. The group is the first that differs, as soon as groups were hashed. */
    Divergence divergence(long tick, long hash, GroupHashes groups) {
        int place = (int) (tick % TICKS);
        int group = Divergence.UNKNOWN;
        for (int other = 0; other < named.length && group == Divergence.UNKNOWN; other++) {
            if (tickOf[other][place] == tick && hashOf[other][place] == agreedHash[place]) {
                group = groups.firstDifference(groupsOf[other], GroupHashes.tickOf(tick));
            }
        }
        return new Divergence(tick, agreedHash[place], hash, group, Divergence.UNKNOWN, "", Divergence.UNKNOWN);
    }

    /** Whether most have that hash, as far as is known. */
    boolean agrees(long tick, long hash) {
        return !isAgreed(tick) || agreedHash[(int) (tick % TICKS)] == hash;
    }

    /** Whether it is known which hash most have. */
    boolean isAgreed(long tick) {
        return agreedTick[(int) (tick % TICKS)] == tick;
    }

    private int votes(int place, long tick, long hash) {
        int votes = 0;
        for (int node = 0; node < named.length; node++) {
            if (tickOf[node][place] == tick && hashOf[node][place] == hash) {
                votes++;
            }
        }
        return votes;
    }
}
