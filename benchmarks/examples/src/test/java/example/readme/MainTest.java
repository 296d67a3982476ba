package example.readme;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.FrameView;
import dev.escapement.state.time.ManualClock;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;

/** The program of the README runs. */
class MainTest {

    private static final int LINKS = 8;

    @Test
    void shouldSwingAndHoldTogether() {
        ManualClock clock = new ManualClock(0);
        float lowest = 9;
        try (InlineDriver driver = PhysicsService.builder(Main.chain(LINKS)).inline(clock);
                FrameView view = FrameView.inline(driver.newReader())) {
            for (int tick = 1; tick <= 300; tick++) {
                clock.advance(10_000_000);
                driver.runDueTicks();
                if (view.advance(clock.nanoTime())) {
                    assertHoldsTogether(view);
                    lowest = Math.min(lowest, view.positionOfSlot(LINKS - 1, new Vector3f()).y);
                }
            }
        }
        assertThat(lowest).isLessThan(5);
    }

    private static void assertHoldsTogether(FrameView view) {
        for (int link = 1; link < LINKS; link++) {
            Vector3f previous = view.positionOfSlot(link - 1, new Vector3f());
            assertThat((double) view.positionOfSlot(link, new Vector3f()).distance(previous))
                    .isLessThan(1.35);
        }
    }
}
