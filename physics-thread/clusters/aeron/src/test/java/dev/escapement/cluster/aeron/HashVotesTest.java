package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HashVotesTest {

    private static final long CLIENT = 99;

    private final List<String> named = new ArrayList<>();
    private final HashVotes votes = new HashVotes(
            3, (node, tick, hash, most) -> named.add("node " + node + " at " + tick + ": " + hash + " not " + most));

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
        assertThat(votes.agreedHash(5)).isEqualTo(50);
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

    @Test
    void ofOneNodeEachTickIsAgreed() {
        HashVotes alone = new HashVotes(1, (node, tick, hash, most) -> named.add("wrong"));
        alone.add(0, CLIENT, 1, 3);
        assertThat(alone.lastAgreed()).isEqualTo(1);
        assertThat(named).isEmpty();
    }
}
