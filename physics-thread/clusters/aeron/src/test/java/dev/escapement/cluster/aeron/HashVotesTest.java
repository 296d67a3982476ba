package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.Divergence;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class HashVotesTest {

    private static final long CLIENT = 99;

    private final List<String> named = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final HashVotes votes = votes(3);

    private HashVotes votes(int nodes) {
        return new HashVotes(nodes, new HashVotes.Verdict() {
            @Override
            public void differs(int node, Divergence found) {
                named.add("node " + node + " at " + found.tick() + ": " + found.replayedHash() + " not "
                        + found.recordedHash() + (found.group() < 0 ? "" : ", group " + found.group()));
            }

            @Override
            public void disputed(long tick) {
                told.add("disputed " + tick);
            }

            @Override
            public void settled(long tick) {
                told.add("settled " + tick);
            }
        });
    }

    @Test
    void theOneThatDiffersIsNamedOnce() {
        for (long tick = 1; tick < 3000; tick++) {
            long hash = tick * tick;
            votes.add(0, CLIENT, tick, hash);
            assertThat(votes.lastAgreed()).isEqualTo(tick - 1);
            votes.add(2, CLIENT, tick, tick < 2000 ? hash : 5);
            votes.add(1, CLIENT, tick, hash);
            assertThat(votes.lastAgreed()).isEqualTo(tick);
        }
        assertThat(named).containsExactly("node 2 at 2000: 5 not " + 2000 * 2000);
    }

    @Test
    void oneThatTellsLaterIsNamed() {
        votes.add(0, CLIENT, 7, 70);
        votes.add(1, CLIENT, 7, 70);
        votes.add(2, CLIENT, 7, 70);
        votes.add(0, CLIENT, 8, 80);
        votes.add(1, CLIENT, 8, 80);
        votes.add(2, CLIENT, 8, 81);
        assertThat(named).containsExactly("node 2 at 8: 81 not 80");
    }

    @Test
    void noneIsNamedWithoutAMajority() {
        votes.add(0, CLIENT, 1, 10);
        votes.add(1, CLIENT, 1, 11);
        votes.add(2, CLIENT, 1, 12);
        votes.add(2, CLIENT, 1, 10); // too late: it has told
        assertThat(named).isEmpty();
        assertThat(votes.lastAgreed()).isZero();
    }

    private static void cut(HashVotes of, int ticks) {
        for (int tick = 0; tick < ticks; tick++) {
            of.cut();
        }
    }

    /** Once, and not before others had time to tell. */
    @Test
    void nodesThatDifferWithoutAMajorityAreTold() {
        for (long tick = 1; tick < 3000; tick++) {
            for (int node = 0; node < 3; node++) {
                votes.add(node, CLIENT, tick, tick < 500 ? 1 : node);
            }
            votes.cut();
            assertThat(told).hasSize(tick < 500 + HashVotes.WAIT_TICKS ? 0 : told.size());
        }
        assertThat(told).containsExactly("disputed 500");
        assertThat(votes.toldAfter(2999)).isEqualTo("node 0 has told 0, node 1 has told 1, node 2 has told 2");
        assertThat(votes.dispute(2999, 1).recordedHash()).isZero();
        assertThat(votes.dispute(2999, 1).replayedHash()).isEqualTo(1);
        votes.add(0, CLIENT, 3000, 1);
        votes.add(2, CLIENT, 3000, 1);
        assertThat(told).containsExactly("disputed 500", "settled 3000");
        assertThat(named).isEmpty();
    }

    @Test
    void fiveNodesOfWhichTwoAndTwoDifferAreTold() {
        HashVotes five = votes(5);
        for (int node = 0; node < 5; node++) {
            five.add(node, CLIENT, 7, node / 2);
        }
        cut(five, 2 * HashVotes.WAIT_TICKS);
        assertThat(told).containsExactly("disputed 7");
        assertThat(named).isEmpty();
        assertThat(five.dispute(7, 1).recordedHash()).isEqualTo(1);
    }

    /** One that tells late makes a majority, and nothing is disputed; if it never tells, two differ. */
    @Test
    void oneThatTellsLateDecides() {
        votes.add(0, CLIENT, 1, 10);
        votes.add(2, CLIENT, 1, 11);
        cut(votes, HashVotes.WAIT_TICKS);
        votes.add(1, CLIENT, 1, 11);
        cut(votes, 10 * HashVotes.WAIT_TICKS);
        assertThat(named).containsExactly("node 0 at 1: 10 not 11");
        assertThat(told).isEmpty();
        votes.add(1, CLIENT, 2, 20);
        votes.add(2, CLIENT, 2, 21);
        cut(votes, 2 * HashVotes.WAIT_TICKS);
        assertThat(told).containsExactly("disputed 2");
        assertThat(votes.toldAfter(2)).isEqualTo("node 0 has told nothing, node 1 has told 14, node 2 has told 15");
        assertThat(votes.dispute(2, 0).recordedHash()).isEqualTo(21);
    }

    @Test
    void oneThatCatchesUpIsCompared() {
        votes.add(0, CLIENT, 5, 50);
        votes.add(1, CLIENT, 5, 50);
        assertThat(votes.agrees(5, 50)).isTrue();
        assertThat(votes.agrees(4, 1)).as("nothing is known of that tick").isTrue();
        assertThat(votes.agrees(5, 51)).isFalse();
        assertThat(votes.divergence(5, 51, new GroupHashes()).recordedHash()).isEqualTo(50);
        assertThat(named).isEmpty();
    }

    /** What an earlier process of a node has told does not count any more. */
    @Test
    void oneThatIsStartedAgainIsToldFromWhatItWas() {
        for (long tick = 1; tick <= 2; tick++) {
            votes.add(0, CLIENT, tick, 10);
            votes.add(1, CLIENT, tick, 10);
            votes.add(2, CLIENT, tick, 11);
        }
        votes.add(2, CLIENT + 1, 2, 10);
        assertThat(named).containsExactly("node 2 at 1: 11 not 10");
        votes.add(0, CLIENT, 3, 10);
        votes.add(1, CLIENT, 3, 10);
        votes.add(2, CLIENT + 1, 3, 12);
        assertThat(named).containsExactly("node 2 at 1: 11 not 10", "node 2 at 3: 12 not 10");
    }

    /** They are of the end of the ticks that are told together. */
    @Test
    void theFirstGroupThatDiffersIsNamed() {
        for (int node = 0; node < 3; node++) {
            UnsafeBuffer groups = new UnsafeBuffer(new byte[3 * Integer.BYTES]);
            groups.putInt(Integer.BYTES, node == 2 ? 7 : 6);
            groups.putInt(2 * Integer.BYTES, node);
            votes.addGroups(node, CLIENT, 16, groups, 0, 3);
            for (long tick = 1; tick <= 16; tick++) {
                votes.add(node, CLIENT, tick, node == 2 && tick > 4 ? 5 : 4);
            }
        }
        assertThat(named).containsExactly("node 2 at 5: 5 not 4, group 1");
    }

    @Test
    void noGroupIsNamedIfNoneIsKnown() {
        UnsafeBuffer groups = new UnsafeBuffer(new byte[Integer.BYTES]);
        votes.addGroups(2, CLIENT, 16, groups, 0, 1);
        votes.addGroups(1, CLIENT - 1, 16, new UnsafeBuffer(new byte[] {1, 2, 3, 4}), 0, 1); // was started again
        votes.add(0, CLIENT, 16, 1);
        votes.add(1, CLIENT, 16, 1);
        votes.add(2, CLIENT, 16, 2);
        assertThat(named).containsExactly("node 2 at 16: 2 not 1");
    }

    @Test
    void ofOneNodeEachTickIsAgreed() {
        HashVotes alone = votes(1);
        alone.add(0, CLIENT, 1, 3);
        assertThat(alone.lastAgreed()).isEqualTo(1);
        assertThat(named).isEmpty();
    }
}
