package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HashVotesTest {

    private final List<String> named = new ArrayList<>();
    private final HashVotes votes = new HashVotes(
            3, (node, tick, hash, most) -> named.add("node " + node + " at " + tick + ": " + hash + " not " + most));

    @Test
    void theOneThatDiffersIsNamedOnce() {
        for (long tick = 1; tick < 3000; tick++) {
            long hash = tick * tick;
            votes.add(0, tick, hash);
            assertThat(votes.lastAgreed()).isEqualTo(tick - 1);
            votes.add(2, tick, tick < 2000 ? hash : 5);
            votes.add(1, tick, hash);
            assertThat(votes.lastAgreed()).isEqualTo(tick);
        }
        assertThat(named).containsExactly("node 2 at 2000: 5 not " + 2000 * 2000);
    }

    @Test
    void oneThatTellsLaterIsNamed() {
        votes.add(0, 7, 70);
        votes.add(1, 7, 70);
        votes.add(2, 7, 70);
        votes.add(0, 8, 80);
        votes.add(1, 8, 80);
        votes.add(2, 8, 81);
        assertThat(named).containsExactly("node 2 at 8: 81 not 80");
    }

    @Test
    void noneIsNamedWithoutAMajority() {
        votes.add(0, 1, 10);
        votes.add(1, 1, 11);
        votes.add(2, 1, 12);
        votes.add(2, 1, 10); // too late: it has told
        assertThat(named).isEmpty();
        assertThat(votes.lastAgreed()).isZero();
    }

    @Test
    void oneThatCatchesUpIsChecked() {
        votes.add(0, 5, 50);
        votes.add(1, 5, 50);
        votes.check(2, 5, 50);
        votes.check(2, 4, 1); // nothing is known of that tick
        assertThat(named).isEmpty();
        votes.check(2, 5, 51);
        votes.check(2, 5, 51);
        assertThat(named).containsExactly("node 2 at 5: 51 not 50");
    }

    @Test
    void ofOneNodeEachTickIsAgreed() {
        HashVotes alone = new HashVotes(1, (node, tick, hash, most) -> named.add("wrong"));
        alone.add(0, 1, 3);
        assertThat(alone.lastAgreed()).isEqualTo(1);
        assertThat(named).isEmpty();
    }
}
