package dev.escapement.render.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The page in a browser whose clock goes in steps. */
@EnabledIf("isThereABrowser")
class BrowserRhythmTest extends BrowserFixture {

    /** The 99th percentile of the animation error from the second second on, milliseconds: the largest of 24 series. */
    private static final String LARGEST = """
            const [hertz, step, jitter, missed] = arguments;
            const period = 1000 / hertz;
            let seed = 17;
            const random = () => (seed = seed * 16807 % 2147483647) / 2147483647;
            let largest = 0;
            for (let series = 0; series < 24; series++) {
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
                errors.sort((a, b) => a - b);
                largest = Math.max(largest, errors[Math.floor(0.99 * (errors.length - 1))]);
            }
            return largest;
            """;

    @ParameterizedTest
    @CsvSource({
        "60, 16.7, 0, 0",
        "75, 16.7, 0, 0",
        "60, 16.7, 0, 0.01",
        "50, 16.7, 0, 0.01",
        "75, 8, 0, 0.01",
        "60, 8, 0, 0.01"
    })
    void shouldShowTheSlotsOfTheDisplay(double hertz, double stepMillis, double jitterMillis, double missed) {
        Object largest = browser.executeScript(LARGEST, hertz, stepMillis, jitterMillis, missed);
        assertThat(((Number) largest).doubleValue()).isLessThan(1);
    }

    @ParameterizedTest
    @CsvSource({"60, 0.005", "144, 0.1"})
    void shouldShowWhatAFineClockTells(double hertz, double stepMillis) {
        Object largest = browser.executeScript(LARGEST, hertz, stepMillis, 0, 0.01);
        assertThat(((Number) largest).doubleValue()).isLessThan(0.2);
    }
}
