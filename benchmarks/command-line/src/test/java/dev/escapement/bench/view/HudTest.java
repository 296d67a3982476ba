package dev.escapement.bench.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.escapement.bench.view.Hud.Figures;
import java.awt.image.BufferedImage;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;

class HudTest {

    private static final Figures FIGURES = figures();
    private static final int WARM_UP_IMAGES = 2_000;
    private static final int MEASURED_IMAGES = 200;

    @Test
    void shouldSayHowTheRunDoes() {
        assertThat(lines(FIGURES))
                .containsExactly(
                        "tick 12,345   100.0 Hz x 1/2   PAUSED   SLOW STEPS",
                        "tick lateness       0.03 ms, most 0.31 ms",
                        "step                1.42 ms, most 3.10 ms",
                        "given up               7 ticks",
                        "look-behind        14.20 ms",
                        "animation error     0.03 ms mean");
        assertThat(lines(new Figures()).get(0)).doesNotContain("PAUSED", "SLOW");
    }

    /** As {@link String#format} writes it, but where that rounds a tie the other way. */
    @Test
    void shouldWriteAnyNumber() {
        Random random = new Random(13);
        for (int i = 0; i < 10_000; i++) {
            long whole = random.nextLong() >> random.nextInt(64);
            double value = (random.nextDouble() - 0.5) * Math.pow(10, random.nextInt(12));
            int width = random.nextInt(20);
            StringBuilder text = new StringBuilder("before");
            Hud.grouped(text, whole, width);
            assertThat(text.toString()).isEqualTo("before" + padded(String.format(Locale.ROOT, "%,d", whole), width));
            StringBuilder decimals = new StringBuilder();
            Hud.hundredths(decimals, value, width);
            assertThat(decimals.toString()).hasSizeGreaterThanOrEqualTo(width).matches(" *-?\\d+\\.\\d\\d");
            assertThat(Double.parseDouble(decimals.toString()))
                    .isBetween(value - 0.005001 - Math.ulp(value), value + 0.005001 + Math.ulp(value));
        }
    }

    private static String padded(String text, int width) {
        return " ".repeat(Math.max(0, width - text.length())) + text;
    }

    /** It is drawn between frames, in the same thread. */
    @Test
    void shouldAllocateNothing() {
        Hud hud = new Hud();
        ErrorStrip strip = new ErrorStrip(240);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long thread = Thread.currentThread().getId();
        long from = 0;
        for (int image = 0; image < WARM_UP_IMAGES + MEASURED_IMAGES; image++) {
            if (image == WARM_UP_IMAGES) {
                from = threads.getThreadAllocatedBytes(thread);
            }
            strip.add(image * 1_000L);
            FIGURES.tick = image;
            hud.panel(FIGURES, strip);
            hud.smallPanel(FIGURES);
            hud.bar("Escapement", strip, 640);
        }
        assertThat((threads.getThreadAllocatedBytes(thread) - from) / MEASURED_IMAGES)
                .as("bytes an image; the question itself takes some")
                .isLessThan(8);
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

    private static List<String> lines(Figures figures) {
        StringBuilder lines = new StringBuilder();
        Hud.figures(figures, lines);
        return lines.toString().lines().toList();
    }

    private static Figures figures() {
        Figures figures = new Figures();
        figures.tick = 12_345;
        figures.speed = "100.0 Hz x 1/2";
        figures.paused = true;
        figures.slow = true;
        figures.gauge = gauge();
        figures.givenUpTicks = 7;
        figures.lookBehindNanos = 14_200_000;
        figures.errorMillis = 0.034;
        return figures;
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
