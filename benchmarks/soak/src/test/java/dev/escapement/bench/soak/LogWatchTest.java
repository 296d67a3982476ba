package dev.escapement.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class LogWatchTest {

    private static final Logger LOGGER = Logger.getLogger("dev.escapement");

    private final Notes notes = new Notes();

    private static void warn(String message) {
        System.getLogger("dev.escapement.state").log(System.Logger.Level.WARNING, message);
    }

    @Test
    void shouldFindWhatTheStormDoesNotExplain() {
        try (LogWatch watch = new LogWatch()) {
            System.getLogger("dev.escapement.physics").log(System.Logger.Level.INFO, "granted");
            warn("Before tick 7, thread 'a' ran a command, which threw java.lang.Error. Its future has the cause.");
            warn("planted");
            System.getLogger("dev.escapement.state")
                    .log(System.Logger.Level.ERROR, "thread has ended", new IllegalStateException("planted, too"));
            assertThat(watch.unexplained())
                    .containsExactly(
                            "WARNING dev.escapement.state: planted",
                            "SEVERE dev.escapement.state: thread has ended (java.lang.IllegalStateException: planted, too)");
        }
    }

    /** Else a program with its own logging would hear nothing, and call that a clean log. */
    @Test
    void shouldNotCheckALogThatItDoesNotHear() {
        System.LoggerFinder own = new System.LoggerFinder() {
            @Override
            public System.Logger getLogger(String name, Module module) {
                throw new AssertionError(name);
            }
        };
        assertThat(checks(own)).isZero();
        assertThat(notes.leftOut()).containsOnlyKeys("log-explained");
        assertThat(notes.leftOut().get("log-explained"))
                .contains("not listened to", own.getClass().getName());
    }

    @Test
    void shouldCheckTheLogOfTheJdk() {
        assertThat(checks(System.LoggerFinder.getLoggerFinder())).isPositive();
        assertThat(notes.leftOut()).isEmpty();
    }

    private long checks(System.LoggerFinder finder) {
        Trial trial = new Trial(new Scenario("test", "", StressRun.promises(), unused -> {}), 1, null);
        try (ProcessCheck process = new ProcessCheck(trial, notes, finder)) {
            process.begin(1, true);
            assertThat(process.look(1).threads()).isPositive();
        }
        return trial.check(Promise.LOG_EXPLAINED).checked();
    }

    @Test
    void shouldGiveTheLogBackItsHandlers() {
        Handler own = new ConsoleHandler();
        LOGGER.addHandler(own);
        try {
            try (LogWatch watch = new LogWatch()) {
                assertThat(LOGGER.getHandlers()).doesNotContain(own);
                assertThat(LOGGER.getUseParentHandlers()).isFalse();
                assertThat(watch.unexplained()).isEmpty();
            }
            assertThat(LOGGER.getHandlers()).containsExactly(own);
            assertThat(LOGGER.getUseParentHandlers()).isTrue();
            assertThat(LOGGER.getLevel()).isNull();
        } finally {
            LOGGER.removeHandler(own);
        }
    }
}
