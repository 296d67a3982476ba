package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.cluster.aeron.WorldVotes.Member;
import dev.escapement.cluster.aeron.WorldVotes.Step;
import java.util.Locale;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Verdicts for node 0. A table has a word for each node. X or Y: it has a log of world X or Y. x: it has the name of world X, but no log.
 * log: it has a log, but no name. empty: it has neither. ?: its answer is missing. With ! it also has a leader.
 */
class WorldVotesTest {

    private static final UUID X = new UUID(1, 1);
    private static final UUID Y = new UUID(2, 2);
    private static final long BEGUN_NANOS = Long.MAX_VALUE - 5; // overflows during the test

    private static WorldVotes votes(String nodes) {
        String[] words = nodes.split(" ", -1);
        WorldVotes votes = new WorldVotes(0, words.length, BEGUN_NANOS);
        for (int node = 1; node < words.length; node++) {
            if (!words[node].equals("?")) {
                votes.answered(node, member(words[node]), BEGUN_NANOS);
            }
        }
        return votes;
    }

    private static Member member(String word) {
        UUID world = word.startsWith("Y") ? Y : word.toUpperCase(Locale.ROOT).startsWith("X") ? X : null;
        return new Member(world, !word.startsWith("x") && !word.startsWith("empty"), word.endsWith("!"));
    }

    private static Step step(String nodes, long afterNanos) {
        return votes(nodes)
                .verdict(member(nodes.split(" ", -1)[0]), BEGUN_NANOS + afterNanos)
                .step();
    }

    @ParameterizedTest
    @CsvSource({
        "X X ?, JOIN",
        "X Y X, JOIN",
        "X Y ?, WAIT",
        "X ? ?, WAIT",
        "X Y Y, REFUSED",
        "Y X! X!, REFUSED",
        "x Y Y, REFUSED",
        "X X X ? ?, JOIN",
        "X X Y ? ?, WAIT",
        "X Y Y ? ?, WAIT",
        "X Y Y Y ?, REFUSED"
    })
    void onlyTheFoldersOfTheMinorityAreRefused(String nodes, Step expected) {
        assertThat(step(nodes, WorldVotes.ANSWER_NANOS)).isEqualTo(expected);
    }

    /** Nodes without a log are no majority: committed entries may have been in the lost logs. */
    @ParameterizedTest
    @CsvSource({
        "X x ?, WAIT",
        "X x x, WAIT",
        "X empty empty, WAIT",
        "x x! x!, WAIT",
        "x X X, WAIT",
        "x X! X, WAIT",
        "x X! X!, JOIN",
        "empty X! X, WAIT",
        "empty X! X!, JOIN",
        "X X! x, JOIN"
    })
    void nodesWithoutALogAreNoMajorityOfAWorld(String nodes, Step expected) {
        assertThat(step(nodes, WorldVotes.ANSWER_NANOS)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({"log X X, REFUSED", "log X! X!, REFUSED", "log X empty, WAIT", "log X Y, WAIT", "log empty empty, JOIN"
    })
    void aNamedWorldRefusesALogWithoutItsFile(String nodes, Step expected) {
        assertThat(step(nodes, WorldVotes.ANSWER_NANOS)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "empty empty empty, 0, JOIN",
        "empty empty ?, -1, WAIT",
        "empty empty ?, 0, JOIN",
        "empty ? ?, 0, WAIT",
        "empty empty x, 0, WAIT"
    })
    void emptyFoldersBeginAWorldOnceAllHadTimeToAnswer(String nodes, int nanosMore, Step expected) {
        assertThat(step(nodes, WorldVotes.ANSWER_NANOS + nanosMore)).isEqualTo(expected);
    }

    @Test
    void aVerdictNamesTheWorldOfTheMajority() {
        assertThat(votes("empty Y! Y").verdict(member("empty"), BEGUN_NANOS).world())
                .isEqualTo(Y);
        assertThat(votes("empty X Y").verdict(member("empty"), BEGUN_NANOS).world())
                .isNull();
    }

    @Test
    void shouldNameTheAnswerOfEachNode() {
        WorldVotes votes = votes("X x ? log empty");
        votes.verdict(member("X"), BEGUN_NANOS);
        assertThat(votes)
                .hasToString("node 0 has " + X + ", node 1 has " + X + ", but no log, node 2 does not answer,"
                        + " node 3 has a log, but no file that names its world, node 4 has no log");
    }

    /** An old answer is no vote: neither the answer of a node that has died since, nor an answer that arrives after a newer one. */
    @Test
    void anOldAnswerDoesNotCount() {
        WorldVotes votes = votes("X X ?");
        assertThat(votes.verdict(member("X"), BEGUN_NANOS + WorldVotes.ANSWER_NANOS)
                        .step())
                .isEqualTo(Step.JOIN);
        assertThat(votes.verdict(member("X"), BEGUN_NANOS + WorldVotes.ANSWER_NANOS + 1)
                        .step())
                .isEqualTo(Step.WAIT);
        votes.answered(1, member("Y"), BEGUN_NANOS + WorldVotes.ANSWER_NANOS);
        votes.answered(2, member("Y"), BEGUN_NANOS + WorldVotes.ANSWER_NANOS);
        votes.answered(2, member("X"), BEGUN_NANOS + WorldVotes.ANSWER_NANOS - 1);
        assertThat(votes.verdict(member("X"), BEGUN_NANOS + WorldVotes.ANSWER_NANOS + 1)
                        .step())
                .isEqualTo(Step.REFUSED);
    }
}
