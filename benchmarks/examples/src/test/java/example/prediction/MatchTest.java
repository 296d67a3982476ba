package example.prediction;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.time.ManualClock;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The same match, on a clock that stands still, as often as it is played. */
class MatchTest {

    private static Match played(long seed) {
        Match match = new Match(seed);
        ManualClock clock = new ManualClock(0);
        try (InlineDriver driver =
                PhysicsService.builder(match).rate(Server.RATE).inline(clock)) {
            clock.advance(TimeUnit.SECONDS.toNanos(30));
            assertThat(driver.runDueTicks(Integer.MAX_VALUE)).isEqualTo(3000);
        }
        return match;
    }

    @Test
    void shouldShowAtOnceWhatThePlayerDoes() {
        for (Player player : played(7).players) {
            assertThat(player.predicted.delayTicks.getMaxValue()).isZero();
            assertThat(player.unpredicted.delayTicks.getMinValue())
                    .as("there, and back")
                    .isGreaterThanOrEqualTo(2L * Player.AHEAD);
            assertThat(player.predicted.errorMillimetres.getValueAtPercentile(50))
                    .isZero();
            assertThat(player.predicted.errorMillimetres.getValueAtPercentile(99))
                    .isLessThan(player.unpredicted.errorMillimetres.getValueAtPercentile(99) / 10);
            assertThat(player.predicted.jumpMillimetres.getTotalCount()).isGreaterThan(100);
        }
    }

    @Test
    void shouldBeTheSameMatchEachTime() {
        assertThat(played(7).report())
                .isEqualTo(played(7).report())
                .isNotEqualTo(played(8).report());
    }
}
