package dev.escapement.bench.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.FrameView;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.Timeline;
import java.awt.image.BufferedImage;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class BesideTest {

    private static final long FRAME = 5_000_000;

    /** The reason for both pictures: slow steps disturb blending by arrival, but not by due times. */
    @Test
    void shouldStutterBySlowStepsOnTheLeftOnly() {
        ManualClock clock = new ManualClock(0);
        ErrorStrip leftErrors = new ErrorStrip(true);
        ErrorStrip rightErrors = new ErrorStrip(true);
        try (InlineDriver driver =
                PhysicsService.builder(new SpringSimulation(1)).maxReaders(2).inline(clock)) {
            TwoLatestView left = new TwoLatestView(driver.newReader());
            FrameView right = FrameView.of(driver.newReader());
            assertThat(left.advance(0)).as("nothing yet").isFalse();
            for (long frame = 1; frame <= 3000; frame++) {
                long lateNanos = frame % 40 == 0 ? 4_000_000 : 0; // by the step's length
                clock.advance(frame * FRAME + lateNanos - clock.nanoTime());
                driver.runDueTicks();
                long now = (frame + 1) * FRAME - 1; // just before the next frame
                clock.advance(now - clock.nanoTime());
                boolean leftShown = left.advance(now);
                if (right.advance(now) && leftShown) {
                    Timeline timeline = right.window().timeline();
                    leftErrors.frame(left.shownSimNanos(), timeline, now);
                    rightErrors.frame(right.clock().shownSimNanos(), timeline, now);
                }
            }
        }
        assertThat(red(leftErrors.image())).isPositive();
        assertThat(leftErrors.meanMillis()).isGreaterThan(0.1);
        assertThat(red(rightErrors.image())).isZero();
        assertThat(rightErrors.meanMillis()).isLessThan(0.01);
    }

    /** Counts the pixels that have the colour of a visible error. */
    private static long red(BufferedImage image) {
        int[] pixels = image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth());
        return Arrays.stream(pixels)
                .filter(pixel -> ((pixel >> 16) & 255) > 240)
                .count();
    }
}
