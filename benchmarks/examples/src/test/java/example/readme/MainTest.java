package example.readme;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.FrameView;
import dev.escapement.state.time.ManualClock;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;

class MainTest {

    @Test
    void shouldSwing() {
        ManualClock clock = new ManualClock(0);
        try (InlineDriver driver = PhysicsService.builder(Main.chain(8)).inline(clock);
                FrameView view = FrameView.inline(driver.newReader())) {
            clock.advance(1_200_000_000);
            driver.runDueTicks(Integer.MAX_VALUE);
            assertThat(view.advance(clock.nanoTime())).isTrue();
            Vector3f last = view.positionOfSlot(7, new Vector3f());
            Vector3f first = view.positionOfSlot(0, new Vector3f());
            assertThat(last.y).isLessThan(7);
            assertThat((double) last.distance(first)).as("holds together").isLessThan(7 * 1.35);
        }
    }
}
