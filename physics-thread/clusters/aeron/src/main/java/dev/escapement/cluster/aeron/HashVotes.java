package dev.escapement.cluster.aeron;

import dev.escapement.physics.Divergence;
import java.util.Arrays;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.agrona.DirectBuffer;

/**
 * Finds out which nodes have another state than most. Each node tells the hash after each of its ticks through the log, so all of them come
 * to the same result.
 *
 * <p>One thread. Allocates nothing. Knows the last {@value #TICKS} ticks.
 */
final class HashVotes {

    /** Is told what is found out. */
    interface Verdict {

        /** A node differs from most. Once for each node. */
        void differs(int node, Divergence found);

        /** Nodes differ after a tick, and for a while no majority has said which of them is right. Once, until it is {@link #settled}. */
        void disputed(long tick);

        /** Most nodes have the same state again, after a later tick. */
        void settled(long tick);
    }

    static final int TICKS = 1024;

    /** For how many ticks others may still tell, until nodes that differ are disputed: once to twice as many. */
    static final int WAIT_TICKS = 64;

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

    /** The tick that was told as disputed, until most agree about a later one: that was the end of what is told. */
    private long disputed = NONE;

    private long settled = NONE;

    /** The first tick after which nodes differed when that was looked for last. */
    private long waitsSince = NONE;

    private long cuts;

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
        if (isToTell(place, tickOf[node][place])) { // now, because it is about to be forgotten
            dispute(tickOf[node][place]);
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
            if (disputed != NONE && tick > disputed) {
                disputed = NONE;
                settled = tick;
                verdict.settled(tick);
            }
        }
    }

    /** Another tick was cut. Now and then, looks for nodes that have differed for a while, and none of which is in a majority. */
    void cut() {
        cuts++;
        if (cuts % WAIT_TICKS == 0) {
            long first = Long.MAX_VALUE;
            for (long[] ticks : tickOf) {
                for (int place = 0; place < TICKS; place++) {
                    first = ticks[place] < first && isToTell(place, ticks[place]) ? ticks[place] : first;
                }
            }
            if (first == waitsSince) {
                dispute(first);
            }
            waitsSince = first == Long.MAX_VALUE ? NONE : first;
        }
    }

    private void dispute(long tick) {
        disputed = tick;
        verdict.disputed(tick);
    }

    /** Whether two nodes differ after a tick, and nothing of that was told: one that is not in a majority is named. */
    private boolean isToTell(int place, long tick) {
        if (disputed != NONE || tick <= settled) {
            return false;
        }
        int first = firstAfter(place, tick, 0);
        return first < named.length && firstOther(place, tick, first) < named.length;
    }

    /** The first node from one on that has told of a tick, and was not named. */
    private int firstAfter(int place, long tick, int from) {
        int node = from;
        while (node < named.length && (tickOf[node][place] != tick || named[node])) {
            node++;
        }
        return node;
    }

    /** The first node after one that has another hash than that. */
    private int firstOther(int place, long tick, int than) {
        int node = firstAfter(place, tick, than + 1);
        while (node < named.length && hashOf[node][place] == hashOf[than][place]) {
            node = firstAfter(place, tick, node + 1);
        }
        return node;
    }

    /** How a node differs from another one after a tick that is disputed; if it has told nothing, how two others do. */
    Divergence dispute(long tick, int node) {
        int place = (int) (tick % TICKS);
        int one = firstAfter(place, tick, node) == node ? node : firstAfter(place, tick, 0);
        int first = firstAfter(place, tick, 0);
        int other = hashOf[first][place] == hashOf[one][place] ? firstOther(place, tick, first) : first;
        int group = groupsOf[one].firstDifference(groupsOf[other], GroupHashes.tickOf(tick));
        return new Divergence(
                tick, hashOf[other][place], hashOf[one][place], group, Divergence.UNKNOWN, "", Divergence.UNKNOWN);
    }

    /** What each node has told after a tick, in words. */
    String toldAfter(long tick) {
        int place = (int) (tick % TICKS);
        return IntStream.range(0, named.length)
                .mapToObj(node -> "node " + node + " has told "
                        + (tickOf[node][place] == tick ? Long.toHexString(hashOf[node][place]) : "nothing"))
                .collect(Collectors.joining(", "));
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
        int place = (int) (tick % TICKS);
        return agreedTick[place] != tick || agreedHash[place] == hash;
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
