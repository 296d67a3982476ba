package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.jmh.Handoff.Reader;
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
        int readers = contestant.severalReaders ? 2 : 1;
        Handoff handoff = contestant.create(BODIES, readers);
        Reader[] all = new Reader[readers];
        for (int i = 0; i < readers; i++) {
            all[i] = handoff.newReader();
            assertThat(all[i].acquire()).isNull();
        }
        for (int tick = 1; tick <= 30; tick++) {
            Poses.fill(handoff.begin(), 1000 * tick);
            assertThat(handoff.publish()).isTrue();
            boolean readersSkip = tick % 3 != 0 || tick < 3;
            if (readersSkip) {
                continue;
            }
            for (Reader reader : all) {
                PoseBlocks poses = Objects.requireNonNull(reader.acquire());
                assertThat(poses.slotCount()).isEqualTo(BODIES);
                assertThat(poses.block(1).qw[70]).isEqualTo(1000 * tick);
                assertThat(reader.acquire()).isNull();
            }
        }
    }
}
