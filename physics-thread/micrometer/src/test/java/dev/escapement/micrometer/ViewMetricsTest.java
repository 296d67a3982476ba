package dev.escapement.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.InlineDriver;
import dev.escapement.render.FrameView;
import dev.escapement.state.Await;
import dev.escapement.state.time.ManualClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.ref.WeakReference;
import org.junit.jupiter.api.Test;

class ViewMetricsTest {

    private static final int FRAMES = 64;
    private static final long LATE_NANOS = 2_000_000;

    private final ManualClock clock = new ManualClock(0);
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ViewMetrics metrics = new ViewMetrics("window");

    private double percentile(String share) {
        return registry.get("escapement.view.animation.error.percentile")
                .tag("phi", share)
                .timeGauge()
                .value();
    }

    private double count(String name) {
        return registry.get("escapement.view." + name)
                .tag("view", "window")
                .functionCounter()
                .count();
    }

    /** Draws a frame after each tick, once there is a window. The last frame is displayed late, which is an animation error. */
    private FrameView drawn(int frames) {
        InlineDriver driver = Dot.driver("arena", clock);
        FrameView view = FrameView.inline(driver.newReader());
        for (int frame = 0; frame < frames; ) {
            Dot.tick(driver, clock, 1);
            if (view.advance(clock.nanoTime())) {
                frame++;
                long late = frame == frames ? LATE_NANOS : 0;
                metrics.drawn(view, clock.nanoTime() + late, clock.nanoTime());
            }
        }
        return view;
    }

    @Test
    void shouldReportFramesAndTheirErrors() {
        metrics.bindTo(registry);
        assertThat(count("frames")).isZero();
        FrameView view = drawn(FRAMES);
        assertThat(count("frames")).isEqualTo(FRAMES);
        assertThat(count("animation.error.seconds")).isCloseTo(LATE_NANOS / 1e9, within(1e-9));
        assertThat(percentile("1")).isCloseTo(LATE_NANOS / 1e9, within(1e-9));
        assertThat(percentile("0.99"))
                .as("one error in 63, known after 64 frames")
                .isCloseTo(LATE_NANOS / 1e9, within(1e-5));
        assertThat(registry.get("escapement.view.delay").timeGauge().value())
                .isEqualTo(view.clock().interpolationDelayNanos() / 1e9);
    }

    @Test
    void shouldAddTheFramesOfTheNextView() {
        metrics.bindTo(registry);
        FrameView first = drawn(3);
        FrameView next = drawn(3);
        assertThat(count("frames")).isEqualTo(6);
        assertThat((long) count("held.frames"))
                .isEqualTo(first.clock().holds() + next.clock().holds());
        assertThat(percentile("1"))
                .as("no error from one world to the other")
                .isCloseTo(LATE_NANOS / 1e9, within(1e-9));
    }

    @Test
    void shouldLeaveTheRegistryAfterTheView() {
        metrics.bindTo(registry);
        WeakReference<FrameView> view = new WeakReference<>(drawn(2));
        Await.until(() -> {
            System.gc();
            return view.get() == null;
        });
        assertThat(count("frames")).isEqualTo(0);
        assertThat(registry.getMeters()).isEmpty();
    }
}
