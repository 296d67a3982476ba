package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.time.TimerResolution;
import java.util.ArrayList;
import java.util.List;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TimerWarningTest {

    private final RecordingLogger logger = new RecordingLogger();
    private int measured;

    @Test
    void shouldWarnOnceWithTheValuesAndARemedy() {
        TimerWarning warning = warningOf(new TimerResolution(15_625_000, 2_000_000));
        warning.warnOnce();
        warning.warnOnce();

        assertThat(logger.messages).hasSize(1);
        assertThat(logger.messages.get(0))
                .startsWith("WARNING ")
                .contains("steps of 15625.00 us", "shortest park takes 2000.00 us", "timeBeginPeriod", "clock source");
        assertThat(measured).isEqualTo(1);
    }

    @Test
    void shouldSayNothingOfAFineTimer() {
        warningOf(new TimerResolution(20, 60_000)).warnOnce();
        assertThat(logger.messages).isEmpty();
        assertThat(measured).isEqualTo(1);
    }

    private TimerWarning warningOf(TimerResolution resolution) {
        return new TimerWarning(
                () -> {
                    measured++;
                    return resolution;
                },
                logger);
    }

    private static final class RecordingLogger implements System.Logger {

        private final List<String> messages = new ArrayList<>();

        @Override
        public String getName() {
            return "recording";
        }

        @Override
        public boolean isLoggable(Level level) {
            return true;
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String message, @Nullable Throwable thrown) {
            messages.add(level + " " + message);
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String format, @Nullable Object... values) {
            messages.add(level + " " + format);
        }
    }
}
