package dev.escapement.bench.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.view.Hud.Figures;
import java.awt.image.BufferedImage;
import org.junit.jupiter.api.Test;

class HudTest {

    private static final Figures FIGURES = new Figures(12_345, 100, "1/2", true, true, gauge(), 7, 14_200_000, 0.034);

    @Test
    void shouldSayHowTheRunDoes() {
        assertThat(Hud.figures(FIGURES))
                .containsExactly(
                        "tick 12,345   100.0 Hz x 1/2   PAUSED   SLOW STEPS",
                        "tick lateness       0.03 ms, most 0.31 ms",
                        "step                1.42 ms, most 3.10 ms",
                        "given up               7 ticks",
                        "look-behind        14.20 ms",
                        "animation error     0.03 ms mean");
        assertThat(Hud.figures(Figures.NONE).get(0)).doesNotContain("PAUSED", "SLOW");
    }

    @Test
    void shouldDrawTheStripOfErrors() {
        Hud hud = new Hud();
        ErrorStrip strip = new ErrorStrip(100);
        long calm = red(hud.panel(FIGURES, strip));
        for (int frame = 0; frame < 50; frame++) {
            strip.add(frame % 2 == 0 ? 6_000_000 : -6_000_000);
        }
        assertThat(strip.meanMillis()).isEqualTo(6);
        assertThat(red(hud.panel(FIGURES, strip))).isGreaterThan(calm + 1000);
        BufferedImage bar = hud.bar("Escapement", strip, 640);
        assertThat(bar.getWidth()).isEqualTo(640);
        assertThat(red(bar)).isGreaterThan(1000);
        assertThat(hud.smallPanel(FIGURES).getHeight())
                .as("covers less of the left side")
                .isLessThan(hud.panel(FIGURES, strip).getHeight() * 2 / 3);
    }

    @Test
    void shouldKeepTheLastFramesOnly() {
        ErrorStrip strip = new ErrorStrip(10);
        assertThat(strip.meanMillis()).isZero();
        for (int frame = 0; frame < 100; frame++) {
            strip.add(frame < 90 ? 5_000_000 : 1_000_000);
        }
        assertThat(strip.meanMillis()).isEqualTo(1);
    }

    private static TickGauge gauge() {
        TickGauge gauge = new TickGauge(10);
        gauge.ticked(1, 0, 310_000, 310_000 + 3_100_000, 0);
        for (int tick = 2; tick <= 10; tick++) {
            gauge.ticked(tick, 0, 1000, 1000 + 1_233_333, 0);
        }
        return gauge;
    }

    /** How many pixels are of the colour of an error that is visible. */
    private static long red(BufferedImage image) {
        long count = 0;
        for (int pixel : image.getRGB(0, 0, image.getWidth(), image.getHeight(), null, 0, image.getWidth())) {
            if (((pixel >> 16) & 255) > 240 && ((pixel >> 8) & 255) < 120) {
                count++;
            }
        }
        return count;
    }
}
