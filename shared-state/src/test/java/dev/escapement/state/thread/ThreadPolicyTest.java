package dev.escapement.state.thread;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.escapement.state.internal.RequestedPolicy;
import dev.escapement.state.thread.ThreadGrants.Grant;
import dev.escapement.state.thread.ThreadGrants.Outcome;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
    void shouldApplyARequestOnceToEachThread() throws Exception {
        RequestedPolicy requested = new RequestedPolicy();
        assertThat(requested.apply()).as("nothing is requested").isFalse();
        ThreadGrants some = ThreadGrants.of(List.of(SLACK, PRIORITY));
        ThreadPolicy policy = periodNanos -> some;
        requested.request(periodNanos -> {
            throw new IllegalStateException("planted");
        });
        for (int i = 0; i < 2; i++) {
            assertThatIllegalStateException()
                    .as("for each stream of a thread")
                    .isThrownBy(requested::apply)
                    .withMessage("planted");
        }
        requested.request(policy);
        assertThat(requested.apply()).isTrue();
        assertThat(requested.apply()).isFalse();
        assertThat(requested.grants()).isSameAs(some);
        assertThat(CompletableFuture.supplyAsync(requested::apply, work -> new Thread(work).start())
                        .get())
                .as("a new thread of the same loop")
                .isTrue();
    }

    /** As that of a user may. */
    @Test
    void shouldNameAPolicyThatReturnsNull() {
        ThreadPolicy policy = new ReturnsNull();
        String sentence = "the thread policy " + ReturnsNull.class.getName()
                + " returned null; return what was granted, or ThreadGrants.none()";
        RequestedPolicy requested = new RequestedPolicy();
        requested.request(policy);
        assertThatNullPointerException().isThrownBy(requested::apply).withMessage(sentence);
    }

    private static final class ReturnsNull implements ThreadPolicy {

        @Override
        @SuppressWarnings("NullAway") // which not each user has
        public ThreadGrants apply(long periodNanos) {
            return null;
        }
    }

    @Test
    void shouldSayWhichModuleIsMissing() {
        assertThat(ThreadPolicy.realTime().apply(0).toString())
                .startsWith("thread policy not known here (no module for ")
                .endsWith("on Linux add escapement-platform-linux to the class path)");
    }
}
