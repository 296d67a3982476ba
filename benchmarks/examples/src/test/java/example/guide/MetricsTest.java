package example.guide;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.micrometer.ViewMetrics;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.FrameView;
import dev.escapement.state.time.ManualClock;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class MetricsTest {

    private final ManualClock clock = new ManualClock(0);
    private final ViewMetrics frames = new ViewMetrics("window");

    @Test
    void shouldGivePrometheusTheWorldUntilItEnds() {
        Supplier<String> page;
        try (InlineDriver driver = PhysicsService.builder(new Yard().simulation)
                        .name("yard")
                        .inline(clock);
                FrameView view = FrameView.inline(driver.newReader())) {
            page = Metrics.page(driver, frames);
            clock.advance(30_000_000);
            driver.runDueTicks();
            assertThat(view.advance(clock.nanoTime())).isTrue();
            frames.drawn(view, clock.nanoTime(), clock.nanoTime());
            assertThat(page.get())
                    .contains(
                            "escapement_ticks_total{world=\"yard\"} 3.0",
                            "escapement_tick_lateness_percentile_seconds{phi=\"0.99\",world=\"yard\"} 0.02",
                            "escapement_skipped_seconds_total{world=\"yard\"} 0.0",
                            "escapement_view_frames_total{view=\"window\"} 1.0");
        }
        assertThat(page.get()).as("the read that sees the end").contains("escapement_view_frames_total");
        assertThat(page.get())
                .contains("escapement_failed_worlds_total 0.0", "escapement_view_frames_total")
                .doesNotContain("yard");
    }
}
