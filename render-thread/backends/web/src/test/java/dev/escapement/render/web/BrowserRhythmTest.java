package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The page in a browser whose clock has coarse steps. */
@EnabledIf("isThereABrowser")
class BrowserRhythmTest extends BrowserFixture {

    /**
     * A script that returns the 99th percentile of the animation error after the first second, in milliseconds: the largest of 8 series.
     */
    private static final String ERRORS = """
            const [hertz, step, jitter, missed] = arguments;
            const period = 1000 / hertz;
            let seed = 17;
            const random = () => (seed = seed * 16807 % 2147483647) / 2147483647;
            const p99 = errors => errors.sort((a, b) => a - b)[Math.floor(0.99 * (errors.length - 1))];
            let largest = 0;
            for (let series = 0; series < 8; series++) {
                const rhythm = new window.escapement.DisplayRhythm();
                const errors = [];
                let slot = random() * 3;
                let lastShown = 0;
                let lastSlot = 0;
                for (let frame = 0; frame < 20 * hertz; frame++) {
                    slot += random() < missed ? 2 : 1;
                    const now = slot * period + jitter * (2 * random() - 1);
                    const shown = rhythm.moment(Math.floor(now / step) * step * 1e6) / 1e6;
                    if (shown < lastShown) {
                        return Infinity;
                    }
                    if (frame > hertz) {
                        errors.push(Math.abs(shown - lastShown - (slot - lastSlot) * period));
                    }
                    lastShown = shown;
                    lastSlot = slot;
                }
                largest = Math.max(largest, p99(errors));
            }
            return largest;
            """;

    @ParameterizedTest
    @CsvSource({
        "60, 16.7, 0, 0.01",
        "74.97, 16.7, 0, 0",
        "75, 8, 0, 0.01",
        "144, 16.67, 1, 0",
        "240, 16.67, 0, 0",
        "75, 100, 0, 0"
    })
    void shouldShowTheSlotsOfTheDisplay(double hertz, double stepMillis, double jitterMillis, double missed) {
        assertThat(errors(hertz, stepMillis, jitterMillis, missed)).isLessThan(1);
    }

    @ParameterizedTest
    @CsvSource({"60, 0.005", "144, 0.1"})
    void shouldShowWhatAFineClockTells(double hertz, double stepMillis) {
        assertThat(errors(hertz, stepMillis, 0, 0.01)).isLessThan(0.2);
    }

    /** The display waits for each frame, at any rate from 48 to 144 Hz. */
    @ParameterizedTest
    @ValueSource(doubles = {16.7, 0.1})
    void shouldShowVariableRateFramesAsTheyCome(double stepMillis) {
        Object others = browser.executeScript("""
                const [step] = arguments;
                let seed = 17;
                const random = () => (seed = seed * 16807 % 2147483647) / 2147483647;
                let others = 0;
                for (let series = 0; series < 8; series++) {
                    const rhythm = new window.escapement.DisplayRhythm();
                    for (let now = random(); now < 20000; now += 1000 / (48 + 96 * random())) {
                        const nanos = Math.floor(now / step) * step * 1e6;
                        others += rhythm.moment(nanos) === nanos ? 0 : 1;
                    }
                }
                return others;
                """, stepMillis);
        assertThat(((Number) others).longValue()).isZero();
    }

    private static double errors(double hertz, double stepMillis, double jitterMillis, double missed) {
        return ((Number) Objects.requireNonNull(browser.executeScript(ERRORS, hertz, stepMillis, jitterMillis, missed)))
                .doubleValue();
    }
}
