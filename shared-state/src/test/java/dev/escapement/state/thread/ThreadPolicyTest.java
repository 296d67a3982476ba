package dev.escapement.state.thread;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.thread.ThreadGrants.Grant;
import dev.escapement.state.thread.ThreadGrants.Outcome;
import java.util.List;
import org.junit.jupiter.api.Test;

class ThreadPolicyTest {

    private static final Grant SLACK = new Grant("timer slack 1 ns", Outcome.GRANTED, "");
    private static final Grant PRIORITY = new Grant("priority 10", Outcome.REFUSED, "ask the administrator");
    private static final Grant SLICE = new Grant("time slice", Outcome.UNKNOWN, "");

    @Test
    void shouldSayInOneLineWhatWasGranted() {
        assertThat(ThreadGrants.of(List.of(SLACK, PRIORITY, SLICE)))
                .hasToString(
                        "timer slack 1 ns granted, priority 10 refused (ask the administrator), time slice not known here");
        assertThat(ThreadGrants.of(List.of(SLACK, PRIORITY)).granted()).isEqualTo("timer slack 1 ns");
        assertThat(ThreadGrants.none()).hasToString("nothing was asked of the operating system");
        assertThat(ThreadGrants.none().granted()).isEqualTo("nothing");
    }

    @Test
    void shouldSayWhichModuleIsMissing() {
        assertThat(ThreadPolicy.realTime().apply(0).toString())
                .startsWith("thread policy not known here (no module for ")
                .endsWith("on Linux add escapement-platform-linux to the class path)");
    }
}
