package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.FrameView;
import dev.escapement.render.tools.AnimationError;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.joml.Vector3f;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests exchange, render clock and interpolation together on a virtual clock. The test knows when the renderer calls the library and when
 * the display shows each frame; the library knows only its calls.
 */
class DisplayContestTest {

    /** When the first call is made. The world has been running since time 0. */
    private static final long START_NANOS = 100_000_000;

    private static final int SERIES = 8;
    private static final double SECONDS = 11;
    private static final double MISSED = 0.01;
    private static final double MIN_INTERVAL_NANOS = 300_000;
    private static final double HALF = 0.5 + 1e-6;

    /** When the renderer called, and when the display showed the frame of this call. */
    private record Call(long nanos, long slotNanos) {}

    /**
     * The metrics of one series of calls, in nanoseconds: mean and 99th percentile of the absolute animation error, mean age of the picture
     * when it is displayed, and the maximum distance between a call and the display time that the library assumed for it.
     */
    private record Metrics(double mean, double p99, double age, double away) {}

    @ParameterizedTest
    @CsvSource({"24, 3e6", "59.94, 3e6", "144, 2.08e6", "360, 8.3e5"})
    void shouldShowTheSlotsOfADisplay(double hertz, double jitterNanos) {
        long warmUpNanos = hertz < 50 ? 2_000_000_000 : 1_000_000_000;
        for (int series = 0; series < SERIES; series++) {
            List<Call> calls = calls(hertz, jitterNanos, series);
            Metrics called = show(calls, warmUpNanos, false);
            Metrics learned = show(calls, warmUpNanos, true);
            assertThat(learned.p99).isLessThanOrEqualTo(Math.min(200_000, called.p99));
            assertThat(learned.mean).isLessThanOrEqualTo(called.mean);
            assertThat(learned.age - called.age).isLessThanOrEqualTo(jitterNanos + 500_000);
            assertThat(learned.away).isLessThanOrEqualTo(HALF * 1e9 / hertz);
        }
    }

    @ParameterizedTest
    @CsvSource({"60, 8e6", "144, 3e6", "240, 2e6", "360, 3e6"})
    void shouldNotBeWorseThanTheCallsWithoutARhythm(double hertz, double jitterNanos) {
        for (int series = 0; series < SERIES; series++) {
            List<Call> calls = calls(hertz, jitterNanos, series);
            Metrics called = show(calls, 0, false);
            Metrics learned = show(calls, 0, true);
            assertThat(learned.p99).isLessThanOrEqualTo(called.p99);
            assertThat(learned.mean).isLessThanOrEqualTo(called.mean);
            assertThat(learned.away).isLessThanOrEqualTo(HALF * 1e9 / hertz);
        }
    }

    /**
     * A recording of Chromium on Xvfb, which has no real display, while other programs use the cores. Chromium itself recorded when its
     * frames began.
     */
    @ParameterizedTest
    @ValueSource(strings = {"alone", "draws", "busy"})
    void shouldBeAsEvenAsARecordedBrowser(String name) throws IOException {
        List<Call> calls = recorded("browser-" + name + ".txt");
        Metrics called = show(calls, 0, false);
        Metrics learned = show(calls, 0, true);
        assertThat(learned.mean).isLessThanOrEqualTo(1.01 * called.mean);
        assertThat(learned.p99).isLessThanOrEqualTo(called.p99);
        assertThat(learned.away).isLessThanOrEqualTo(HALF * 1e9 / 60);
    }

    /**
     * Creates calls of a renderer up to {@code jitterNanos} before or after the slots of a display with constant rate. 1 % of the slots
     * have no call.
     */
    private static List<Call> calls(double hertz, double jitterNanos, int series) {
        SplittableRandom random = new SplittableRandom(0x2545F491L + series);
        List<Call> calls = new ArrayList<>();
        double lastNanos = -MIN_INTERVAL_NANOS;
        double slot = random.nextDouble();
        double end = slot + hertz * SECONDS;
        while (slot < end) {
            double slotNanos = slot * 1e9 / hertz;
            double nanos = slotNanos + jitterNanos * (2 * random.nextDouble() - 1);
            lastNanos = Math.max(nanos, lastNanos + MIN_INTERVAL_NANOS);
            calls.add(new Call(Math.round(lastNanos), Math.round(slotNanos)));
            slot++;
            if (random.nextDouble() < MISSED) {
                slot += random.nextInt(4) == 3 ? 2 : 1;
            }
        }
        return calls;
    }

    /**
     * Reads a recording. A line has two times in microseconds since the line before: when a callback ran, and when its frame began. Lines
     * with # are comments.
     */
    private static List<Call> recorded(String name) throws IOException {
        try (InputStream in = DisplayContestTest.class.getResourceAsStream(name)) {
            String text = new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
            List<Call> calls = new ArrayList<>();
            Call last = new Call(0, 0);
            for (String line :
                    text.lines().filter(line -> !line.startsWith("#")).toList()) {
                String[] micros = line.split(" ", -1);
                last = new Call(
                        last.nanos + 1000 * Long.parseLong(micros[0]),
                        last.slotNanos + 1000 * Long.parseLong(micros[1]));
                calls.add(last);
            }
            return calls;
        }
    }

    private static Metrics show(List<Call> calls, long warmUpNanos, boolean learns) {
        WorkClock clock = new WorkClock();
        Scene scene = new Scene(LoadProfile.LIGHT, clock);
        InlineDriver driver = PhysicsService.builder(scene)
                .rate(TickRate.hertz(100))
                .maxReaders(1)
                .inline(clock);
        VirtualPhysics physics = new VirtualPhysics(driver, clock, LoadProfile.LIGHT);
        FrameView view = FrameView.of(driver.newReader());
        AnimationError error = new AnimationError("display");
        double away = 0;
        double age = 0;
        long frames = 0;
        long shiftNanos = START_NANOS - calls.get(0).nanos;
        for (Call call : calls) {
            long callNanos = call.nanos + shiftNanos;
            long slotNanos = call.slotNanos + shiftNanos;
            physics.runUntil(callNanos);
            if (learns) {
                view.advance(callNanos);
            } else {
                view.advance(callNanos, callNanos);
            }
            long shownNanos = Scene.METRONOME.simNanos(view, view.positionOfSlot(Scene.PROBE, new Vector3f()).x);
            error.frame(shownNanos, view.window().timeline(), slotNanos);
            away = Math.max(away, (double) Math.abs(view.clock().displayNanos() - callNanos));
            if (callNanos - START_NANOS < warmUpNanos) {
                error.reset();
            } else {
                age += (double) (slotNanos - shownNanos);
                frames++;
            }
        }
        return new Metrics(error.meanNanos(), error.percentileNanos(99), age / frames, away);
    }
}
