package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.Logged;
import dev.escapement.state.time.TimerResolution;
import java.util.logging.Level;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TimerWarningTest {

    private final Logged logged = new Logged("physics");
    private int measured;

    @AfterEach
    void listenNoMore() {
        logged.close();
    }

    @Test
    void shouldWarnOnceWithTheValuesAndARemedy() {
        TimerWarning warning = warningOf(new TimerResolution(15_625_000, 2_000_000));
        warning.warnOnce();
        warning.warnOnce();

        assertThat(logged.records).hasSize(1);
        assertThat(logged.records.get(0).getLevel()).isEqualTo(Level.WARNING);
        assertThat(logged.records.get(0).getMessage())
                .contains("steps of 15625.00 us", "shortest park takes 2000.00 us", "timeBeginPeriod", "clock source")
                .hasSizeLessThan(200);
        assertThat(measured).isEqualTo(1);
    }

    @Test
    void shouldSayNothingOfAFineTimer() {
        warningOf(new TimerResolution(20, 60_000)).warnOnce();
        assertThat(logged.records).isEmpty();
        assertThat(measured).isEqualTo(1);
    }

    private TimerWarning warningOf(TimerResolution resolution) {
        return new TimerWarning(
                () -> {
                    measured++;
                    return resolution;
                },
                System.getLogger("dev.escapement.physics"));
    }
}
