package dev.escapement.cluster.aeron;

import static dev.escapement.cluster.aeron.ModelCluster.RUN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.state.Logged;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TimeScale;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.Test;

class StateCheckTest {

    private static final ClusterNode NODE =
            ClusterNode.of(1, Collections.nCopies(3, "localhost"), Path.of("none"), RUN);
    private static final int TICKS = TickHashes.TICKS;

    private final CommittedTicks ticks =
            new CommittedTicks(NODE, 1, new PendingAnswers("none", true, Long.MAX_VALUE, new ManualClock(0)));
    private final List<TickHashes> toReport = new ArrayList<>();
    private final StateCheck check = new StateCheck(NODE, 1, ticks, toReport::add);

    static TickHashes hashes(long lastTick, long hash) {
        long[] hashes = new long[TICKS];
        Arrays.fill(hashes, hash);
        return new TickHashes(lastTick, hashes);
    }

    private void run(long firstTick, long lastTick) {
        for (long tick = firstTick; tick <= lastTick; tick++) {
            assertThat(ticks.ring.offer(new TickRing.Cut(tick, 0, 1, 1, TimeScale.ONE, false)))
                    .isTrue();
            ticks.poll();
            assertThat(ticks.isReady()).isTrue();
            ticks.take(tick);
            long hash = tick == 2040 ? 8 : 7;
            ticks.compare(ModelCluster.only(TickHook.Stepped.class, (asked, arguments) -> hash));
            check.compareOwn();
        }
    }

    @Test
    void aNodeThatCatchesUpComparesItself() {
        ticks.beginAfter(1030);
        for (int node = 0; node < 3; node += 2) {
            for (long tick = 1072; tick <= 2064; tick += TICKS) {
                check.reported(node, 8 + node, hashes(tick, 7));
            }
        }
        run(1031, 2032);
        assertThat(ticks.divergence()).isEmpty();
        run(2033, 2048);
        assertThat(ticks.divergence()).contains(new TickSource.Divergence(2040, 7, 8, "", ""));
        assertThat(toReport.stream().map(TickHashes::lastTick)).containsExactly(1056L, 2048L);
    }

    /** A difference without a majority is reported. One of three nodes is dead, and the other two differ. */
    @Test
    void nodesThatDifferWithoutAMajorityAreReported() {
        try (Logged logged = new Logged("cluster")) {
            for (long tick = 16; tick <= 320; tick += TICKS) {
                check.reported(0, 8, hashes(tick, tick < 40 ? 6 : 5));
                check.reported(1, 1, hashes(tick, 6));
                assertThat(ticks.divergence().isPresent())
                        .as("others had time to report")
                        .isEqualTo(tick >= 48 + StateCheck.WAIT_TICKS);
            }
            assertThat(logged.records)
                    .extracting(LogRecord::getMessage)
                    .singleElement()
                    .asString()
                    .contains("node 0 reported 5, node 1 reported 6, node 2 reported nothing");
        }
        assertThat(ticks.divergence()).contains(new TickSource.Divergence(33, 5, 6, "", ""));
        check.reported(2, 9, hashes(32, 6));
        assertThat(ticks.divergence()).as("a majority before the difference").isPresent();
        check.reported(2, 9, hashes(320, 6));
        assertThat(ticks.divergence()).as("node 0 is named").isEmpty();
        check.reported(2, 9, hashes(336, 4));
        check.reported(1, 1, hashes(336, 6));
        check.reported(1, 1, hashes(336 + StateCheck.WAIT_TICKS, 6));
        assertThat(ticks.divergence()).as("the next one").contains(new TickSource.Divergence(321, 4, 6, "", ""));
    }

    /**
     * A difference is reported before the check forgets the reports that show it, even if no node has reported the later tick at which a
     * difference without a majority is reported.
     */
    @Test
    void aDifferenceIsNotForgotten() {
        check.reported(1, 1, hashes(16, 6));
        check.reported(0, 8, hashes(16, 5));
        for (long tick = 96; tick < 96 + (StateCheck.KEPT - 1) * TICKS; tick += TICKS) {
            check.reported(1, 1, hashes(tick, 6));
        }
        assertThat(ticks.divergence()).isEmpty();
        check.reported(1, 1, hashes(96 + StateCheck.KEPT * TICKS, 6));
        assertThat(ticks.divergence()).contains(new TickSource.Divergence(1, 5, 6, "", ""));
    }

    @Test
    void aNodeThatDiffersIsNamedOnceInEachProcess() {
        try (Logged logged = new Logged("cluster")) {
            for (long process = 9; process <= 10; process++) {
                for (long tick = 16 * process; tick <= 32 * process; tick += TICKS) {
                    check.reported(0, 8, hashes(tick, 7));
                    check.reported(1, 1, hashes(tick, 7));
                    check.reported(2, process, hashes(tick, 5));
                }
            }
            assertThat(logged.records)
                    .extracting(LogRecord::getMessage)
                    .hasSize(2)
                    .allMatch(line -> line.startsWith("The state of node 2 differs from that of most others"));
        }
    }

    @Test
    void reportsOfAnEarlierProcessDoNotCount() {
        check.reported(0, 8, hashes(16, 5));
        check.reported(1, 77, hashes(16, 6)); // reported by an earlier process of this node
        check.reported(2, 9, hashes(16, 5));
        assertThat(ticks.divergence()).isEmpty();
        check.reported(0, 8, hashes(32, 5));
        check.reported(0, 80, hashes(48, 6)); // node 0 was restarted
        check.reported(1, 1, hashes(32, 6));
        check.reported(1, 1, hashes(32 + StateCheck.WAIT_TICKS, 6));
        assertThat(ticks.divergence()).isEmpty();
    }

    @Test
    void twoOfFiveAreNoMajority() {
        ClusterNode ofFive = ClusterNode.of(1, Collections.nCopies(5, "localhost"), Path.of("none"), RUN);
        StateCheck five = new StateCheck(ofFive, 1, ticks, toReport::add);
        for (int node = 0; node < 4; node++) {
            five.reported(node, node, hashes(16, Math.min(node, 2)));
        }
        assertThat(ticks.divergence()).isEmpty();
    }
}
