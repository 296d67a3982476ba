package dev.escapement.cluster.aeron;

import static dev.escapement.cluster.aeron.ModelCluster.RUN;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.Divergence;
import dev.escapement.state.time.TimeScale;
import java.nio.file.Path;
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
        assertThat(check.comparedTicks()).isZero();
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
        assertThat(check.comparedTicks()).isEqualTo(21);
    }
}
