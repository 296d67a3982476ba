package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.compare.DisplayContest.Metrics;
import dev.escapement.bench.compare.DisplayContest.Series;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs 24 seeded series of calls for each display, through exchange, render clock and interpolation. */
class DisplayContestTest {

    private static final double HALF = 0.5 + 1e-6;

    static List<DisplayCase> regular() {
        return DisplayCase.regular();
    }

    static List<DisplayCase> irregular() {
        return DisplayCase.irregular();
    }

    @ParameterizedTest
    @MethodSource("regular")
    void shouldShowTheSlotsOfADisplay(DisplayCase display) {
        Series series = DisplayContest.measure(display);
        assertThat(series.learned()).extracting(Metrics::p99).allMatch(p99 -> p99 <= 200_000);
        assertThat(worse(series)).isZero();
        assertThat(older(series)).isLessThanOrEqualTo(display.jitterNanos() + 500_000);
        assertThat(max(series.learned(), Metrics::away)).isLessThanOrEqualTo(HALF * display.periodNanos());
    }

    @ParameterizedTest
    @MethodSource("irregular")
    void shouldNotBeWorseThanTheCallsWithoutARhythm(DisplayCase display) {
        Series series = DisplayContest.measure(display);
        assertThat(worse(series)).isZero();
        assertThat(max(series.learned(), Metrics::away)).isLessThanOrEqualTo(HALF * display.periodNanos());
    }

    /**
     * The recording is of Chromium on Xvfb, which has no display behind it, on cores that other programs use. Chromium's own timer says
     * when its frames begin.
     */
    @ParameterizedTest
    @ValueSource(strings = {"alone", "draws", "busy"})
    void shouldBeAsEvenAsARecordedBrowser(String name) throws IOException {
        DisplayCalls calls = recorded("browser-" + name + ".txt");
        DisplayCase browser = new DisplayCase(name, 1e9 / 60, 3e6, 0, series -> calls);
        Series series = DisplayContest.measure(browser);
        double calledMean = max(series.calls(), Metrics::mean);
        assertThat(max(series.learned(), Metrics::mean)).isLessThanOrEqualTo(1.01 * calledMean);
        double calledP99 = max(series.calls(), Metrics::p99);
        assertThat(max(series.learned(), Metrics::p99)).isLessThanOrEqualTo(calledP99);
        assertThat(max(series.learned(), Metrics::away)).isLessThanOrEqualTo(HALF * browser.periodNanos());
    }

    /** Counts the series whose mean or 99th percentile is larger than that of their calls. */
    private static long worse(Series series) {
        return IntStream.range(0, series.calls().size())
                .filter(i -> series.learned().get(i).mean()
                                > series.calls().get(i).mean()
                        || series.learned().get(i).p99() > series.calls().get(i).p99())
                .count();
    }

    /** The largest mean age of a series in nanoseconds, relative to the picture of the calls. */
    private static double older(Series series) {
        return IntStream.range(0, series.calls().size())
                .mapToDouble(i ->
                        series.learned().get(i).age() - series.calls().get(i).age())
                .max()
                .orElseThrow();
    }

    private static double max(List<Metrics> series, ToDoubleFunction<Metrics> metric) {
        return series.stream().mapToDouble(metric).max().orElseThrow();
    }

    /**
     * Reads a recording. A line has the instants at which a callback ran and its frame began, in microseconds since the line before; lines
     * with # are comments.
     */
    private static DisplayCalls recorded(String name) throws IOException {
        try (InputStream in = DisplayContestTest.class.getResourceAsStream(name)) {
            String text = new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
            List<String> lines =
                    text.lines().filter(line -> !line.startsWith("#")).toList();
            long[] callNanos = new long[lines.size()];
            long[] slotNanos = new long[lines.size()];
            long call = 0;
            long slot = 0;
            for (int i = 0; i < lines.size(); i++) {
                String[] micros = lines.get(i).split(" ", -1);
                call += Long.parseLong(micros[0]);
                slot += Long.parseLong(micros[1]);
                callNanos[i] = 1000 * call;
                slotNanos[i] = 1000 * slot;
            }
            return new DisplayCalls(callNanos, slotNanos);
        }
    }
}
