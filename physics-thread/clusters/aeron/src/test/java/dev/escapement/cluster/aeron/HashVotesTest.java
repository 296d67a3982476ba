package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

class HashVotesTest {

    private static final long CLIENT = 99;

    private final List<String> named = new ArrayList<>();
    private final HashVotes votes = new HashVotes(
            3,
            (node, found) -> named.add("node " + node + " at " + found.tick() + ": " + found.replayedHash() + " not "
                    + found.recordedHash() + (found.group() < 0 ? "" : ", group " + found.group())));

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
        HashVotes alone = new HashVotes(1, (node, found) -> named.add("wrong"));
        alone.add(0, CLIENT, 1, 3);
        assertThat(alone.lastAgreed()).isEqualTo(1);
        assertThat(named).isEmpty();
    }
}
