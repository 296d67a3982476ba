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
        try (LogWatch watch = new LogWatch(notes)) {
            System.getLogger("dev.escapement.physics").log(System.Logger.Level.INFO, "granted");
            warn("Before tick 7, thread 'a' ran a command, which threw java.lang.Error. Its future has the cause.");
            warn(
                    "The flight recorder cannot put a file aside in /tmp/a (No space left on device); what it had recorded is lost.");
            warn("The flight recorder cannot remove its ring from /tmp/a: /tmp/a/b: directory not empty");
            warn("planted");
            warn(
                    "The flight recorder cannot put a file aside in /tmp/a (java.lang.NullPointerException, at b); planted");
            warn("The flight recorder cannot remove its ring from /tmp/a: java.lang.Error: planted, at b");
            System.getLogger("dev.escapement.state")
                    .log(System.Logger.Level.ERROR, "thread has ended", new IllegalStateException("planted, too"));
            assertThat(watch.unexplained())
                    .containsExactly(
                            "WARNING dev.escapement.state: planted",
                            "WARNING dev.escapement.state: The flight recorder cannot put a file aside in /tmp/a"
                                    + " (java.lang.NullPointerException, at b); planted",
                            "WARNING dev.escapement.state: The flight recorder cannot remove its ring from /tmp/a:"
                                    + " java.lang.Error: planted, at b",
                            "SEVERE dev.escapement.state: thread has ended (java.lang.IllegalStateException: planted, too)");
        }
    }

    @Test
    void shouldSayWhatIsAboutTheWorldAsAFinding() {
        try (LogWatch watch = new LogWatch(notes)) {
            warn("Thread 'a' has captured a value that is not finite, a position beyond 1e18 m, or a rotation: slot 3");
            warn("The flight recorder has put aside a.esclog: tick 7 slot 3 is not finite");
            warn("In tick 8 Jolt had no room for all contacts (error 4)");
            assertThat(watch.unexplained()).isEmpty();
        }
        assertThat(notes.findings()).hasSize(2).anyMatch(found -> found.startsWith("In tick 8 Jolt"));
    }

    /** Else a program with its own logging would hear nothing, and call that a clean log. */
    @Test
    void shouldNotCheckALogThatItDoesNotHear() {
        Logger deaf = Logger.getLogger("dev.escapement.soak"); // as if lines went to another framework
        deaf.setUseParentHandlers(false);
        try {
            assertThat(checks()).isZero();
        } finally {
            deaf.setUseParentHandlers(true);
        }
        assertThat(notes.leftOut().get("log-explained")).contains("not listened to");
    }

    @Test
    void shouldCheckTheLogOfTheJdk() {
        assertThat(checks()).isPositive();
        assertThat(notes.leftOut()).doesNotContainKey("log-explained");
    }

    private long checks() {
        Trial trial = new Trial(new Scenario("test", "", StressRun.promises(), unused -> {}), 1, null);
        try (ProcessCheck process = new ProcessCheck(trial, notes)) {
            process.begin(1, true, false);
            process.look(1);
        }
        return trial.check(Promise.LOG_EXPLAINED).checked();
    }

    @Test
    void shouldGiveTheLogBackItsHandlers() {
        Handler own = new ConsoleHandler();
        LOGGER.addHandler(own);
        try {
            try (LogWatch watch = new LogWatch(notes)) {
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
