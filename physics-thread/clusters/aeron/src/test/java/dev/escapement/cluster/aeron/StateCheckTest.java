package dev.escapement.cluster.aeron;

import static dev.escapement.cluster.aeron.ModelCluster.RUN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.Divergence;
import dev.escapement.state.time.TimeScale;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class StateCheckTest {

    private static final ClusterNode NODE = ClusterNode.of(0, List.of("localhost"), Path.of("none"), RUN);
    private static final int OTHER_PROCESS = 9;

    private final CommittedTicks ticks = new CommittedTicks(NODE, 1, (answer, thrown) -> {});
    private final StateCheck check = new StateCheck(NODE, 1, ticks);

    private static long hash(long tick) {
        return tick * 7919;
    }

    private void run(long lastTick) {
        for (long tick = 1; tick <= lastTick; tick++) {
            assertThat(ticks.ring.offerTick(tick, 0, 1, 1, TimeScale.ONE, false))
                    .isTrue();
            assertThat(ticks.isReady()).isTrue();
            ticks.take(tick, 0, 1);
            ticks.compare(hash(tick));
        }
    }

    /** Nodes that were all started again catch up one after the other, and tell what the first of them ran long ago. */
    @Test
    void shouldNotCompareWhatItHasForgotten() {
        run(3 * HashVotes.TICKS);
        for (long tick = HashVotes.TICKS / 2; tick < HashVotes.TICKS; tick++) {
            check.told(0, OTHER_PROCESS, tick, hash(tick));
        }
        check.compareOwn();
        assertThat(ticks.divergence()).isEmpty();
    }

    @Test
    void shouldCompareWhatOthersTell() {
        run(3 * HashVotes.TICKS);
        long last = 3 * HashVotes.TICKS - 16;
        for (long tick = last - 20; tick <= last; tick++) {
            check.told(0, OTHER_PROCESS, tick, tick == last - 5 ? 1 : hash(tick));
        }
        check.compareOwn();
        assertThat(ticks.divergence().map(Divergence::tick)).contains(last - 5);
    }

    /** One of three nodes is dead, and of the other two one differs. */
    @Test
    void shouldTellThatNodesDifferWithoutAMajority() {
        ClusterNode node = ClusterNode.of(1, Collections.nCopies(3, "localhost"), Path.of("none"), RUN);
        CommittedTicks own = new CommittedTicks(node, 1, (answer, thrown) -> {});
        StateCheck compared = new StateCheck(node, 1, own);
        for (long tick = 1; tick <= 300; tick++) {
            compared.told(0, OTHER_PROCESS, tick, tick < 20 ? hash(tick) : 5);
            compared.told(1, 1, tick, hash(tick));
            compared.compareOwn();
        }
        assertThat(own.divergence()).contains(new Divergence(20, 5, hash(20), -1, -1, "", -1));
        compared.told(2, OTHER_PROCESS + 1, 300, hash(300));
        assertThat(own.divergence()).as("node 0 is named").isEmpty();
    }
}
