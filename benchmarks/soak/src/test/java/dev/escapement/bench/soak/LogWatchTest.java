package dev.escapement.bench.soak;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.logging.ConsoleHandler;
import java.util.logging.Handler;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;

class LogWatchTest {

    private static final Logger LOGGER = Logger.getLogger("dev.escapement");

    private static void warn(String message) {
        System.getLogger("dev.escapement.state").log(System.Logger.Level.WARNING, message);
    }

    @Test
    void shouldFindWhatNoRuleExplains() {
        try (LogWatch watch = new LogWatch()) {
            System.getLogger("dev.escapement.physics").log(System.Logger.Level.INFO, "granted");
            warn("Before tick 7, thread 'a' ran a command, which threw java.lang.Error. Its future has the cause.");
            warn("planted");
            watch.explains("^known", "a test says it");
            warn("known");
            warn("unknown, after what is known");
            System.getLogger("dev.escapement.state")
                    .log(System.Logger.Level.ERROR, "thread has ended", new IllegalStateException("planted, too"));
            assertThat(watch.unexplained())
                    .containsExactly(
                            "WARNING dev.escapement.state: planted",
                            "WARNING dev.escapement.state: unknown, after what is known",
                            "SEVERE dev.escapement.state: thread has ended (java.lang.IllegalStateException: planted, too)");
        }
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
