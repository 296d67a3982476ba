package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LogCheckTest {

    private static final Logger LOGGER = Logger.getLogger("dev.escapement");

    private final Trial trial = new Trial(StressRun.promises(), null);
    private final Check check = trial.check(Promise.LOG_EXPLAINED);

    private static void warn(String message) {
        System.getLogger("dev.escapement.state").log(System.Logger.Level.WARNING, message);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            false | Before tick 7, thread 'a' ran a command, which threw java.lang.Error. Its future has the cause.
            false | The flight recorder cannot archive a file in /tmp/a: No space left on device. Tick 7 threw java.lang.Error
            false | The flight recorder cannot remove its ring from /tmp/a: /tmp/a/b: directory not empty
            true  | planted
            true  | The flight recorder cannot archive a file in /tmp/a: java.lang.NullPointerException, at b. Tick 7 planted
            true  | The flight recorder cannot remove its ring from /tmp/a: java.lang.Error: planted, at b
            """)
    void shouldFindWhatTheStormDoesNotExplain(boolean isFound, String message) {
        try (LogCheck log = new LogCheck(trial)) {
            log.look();
            System.getLogger("dev.escapement.physics").log(System.Logger.Level.INFO, "granted");
            warn(message);
        }
        assertThat(check.example()).isEqualTo(isFound ? "WARNING dev.escapement.state: " + message : "");
    }

    @Test
    void shouldSayWhatIsAboutTheWorldAsAFinding() {
        try (LogCheck log = new LogCheck(trial)) {
            log.look();
            warn("Thread 'a' has captured a value that is not finite, a position beyond 1e18 m, or a rotation: slot 3");
            warn("The flight recorder has archived a.esclog: tick 7 slot 3 is not finite");
            warn("In tick 8 Jolt had no room for all contacts (error 4)");
        }
        assertThat(check.broken()).isZero();
        assertThat(trial.findings()).hasSize(2).anyMatch(found -> found.startsWith("In tick 8 Jolt"));
    }

    /** If the check cannot receive messages, because the program uses another logging framework, it must not report a clean log. */
    @Test
    void shouldNotCheckALogThatItDoesNotHear() {
        // Its messages go unheard below, like those that go to another framework.
        Logger deaf = Logger.getLogger("dev.escapement.soak");
        deaf.setUseParentHandlers(false);
        try (LogCheck log = new LogCheck(trial)) {
            log.look();
        } finally {
            deaf.setUseParentHandlers(true);
        }
        assertThat(check.checked()).isZero();
        assertThat(trial.leftOut().get("log-explained")).contains("not listened to");
    }

    @Test
    void shouldCheckTheLogAndRestoreItsHandlers() {
        try (LogCheck log = new LogCheck(trial)) {
            log.look();
            assertThat(LOGGER.getUseParentHandlers()).isFalse();
        }
        assertThat(check.checked()).isEqualTo(1);
        assertThat(trial.leftOut()).doesNotContainKey("log-explained");
        assertThat(LOGGER.getHandlers()).isEmpty();
        assertThat(LOGGER.getUseParentHandlers()).isTrue();
        assertThat(LOGGER.getLevel()).isNull();
    }
}
