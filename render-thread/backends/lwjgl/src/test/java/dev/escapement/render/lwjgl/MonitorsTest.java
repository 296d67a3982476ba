package dev.escapement.render.lwjgl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MonitorsTest {

    /** A window, and a monitor of 1920 beside one of 2560. */
    @ParameterizedTest
    @CsvSource({
        "1800, 1280, 0, 1920, 120",
        "1800, 1280, 1920, 2560, 1160",
        "0, 1280, 1920, 2560, 0",
        "-200, 1280, 0, 1920, 1080",
        "-2000, 1280, 0, 1920, 0",
        "100, 5000, 1920, 2560, 2560",
        "2147483000, 1280, 2147483000, 640, 640"
    })
    void shouldFindWhatAWindowAndAMonitorHaveInCommon(int start, int length, int left, int width, long common) {
        assertThat(Monitors.overlap(start, length, left, width)).isEqualTo(common);
    }
}
