package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.jmh.HandoffContestant.Handoff;
import dev.escapement.state.snapshot.PoseBlocks;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An unfair benchmark is worth nothing: every contestant really hands over the latest poses, and only when there are any. */
class HandoffContestantTest {

    private static final int BODIES = 1100;

    @ParameterizedTest
    @EnumSource
    void shouldHandOverTheLatestPoses(HandoffContestant contestant) {
        Handoff handoff = contestant.create(BODIES);
        assertThat(handoff.acquire()).isNull();
        for (int tick = 1; tick <= 30; tick++) {
            Poses.fill(handoff.begin(), 1000 * tick);
            assertThat(handoff.publish()).isTrue();
            if (tick % 3 == 0) {
                PoseBlocks poses = Objects.requireNonNull(handoff.acquire());
                assertThat(poses.slotCount()).isEqualTo(BODIES);
                assertThat(poses.block(1).qw[70]).isEqualTo(1000 * tick);
                assertThat(handoff.acquire()).isNull();
            }
        }
    }
}
