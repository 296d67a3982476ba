package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.command.CommandName;
import dev.escapement.state.Await;
import dev.escapement.state.time.ManualClock;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class PendingAnswersTest {

    private final ManualClock clock = new ManualClock(0);

    @Test
    void aCommandFailsAtMostASecondAfterItsTimeout() {
        PendingAnswers answers = new PendingAnswers("none", true, TimeUnit.SECONDS.toNanos(30), clock);
        expireFor(answers, 500);
        CompletableFuture<?> asked = answers.await(new CommandName("push", 1), offered -> true);
        expireFor(answers, 30_000);
        assertThat(asked).isNotDone();
        expireFor(answers, 1000);
        assertThat(asked)
                .failsWithin(1, TimeUnit.SECONDS)
                .withThrowableThat()
                .withMessageContaining("30000 ms have passed before the cluster answered: it is not known");
    }

    /** Callbacks run on the answer thread, because they may block, and the thread that expires commands sends all input of the node. */
    @Test
    void shouldRunNoCallbackOnTheExpiringOrEndingThread() {
        PendingAnswers answers = new PendingAnswers("none", true, TimeUnit.SECONDS.toNanos(30), clock);
        CompletableFuture<String> expired = answers.await(new CommandName("push", 1), offered -> true)
                .handle((answer, thrown) -> Thread.currentThread().getName());
        expireFor(answers, 31_000);
        CompletableFuture<String> left = answers.await(new CommandName("push", 1), offered -> true)
                .handle((answer, thrown) -> Thread.currentThread().getName());
        answers.end(null);
        for (CompletableFuture<String> callback : List.of(expired, left)) {
            assertThat(callback).succeedsWithin(10, TimeUnit.SECONDS).isEqualTo("escapement-answers");
        }
    }

    /** A program that exits right after a close must not miss an answer. A callback that closes must not wait for itself. */
    @Test
    @Timeout(60)
    void shouldWaitForCallbacksButNotWithinOne() {
        PendingAnswers answers = new PendingAnswers("none", true, TimeUnit.SECONDS.toNanos(30), clock);
        Thread closes = Thread.currentThread();
        CompletableFuture<?> ran = answers.await(new CommandName("push", 1), offered -> true)
                .handle((answer, thrown) -> {
                    answers.awaitCallbacks(Long.MAX_VALUE);
                    Await.until(() -> closes.getState() == Thread.State.TIMED_WAITING);
                    return "ran";
                });
        answers.end(null);
        answers.awaitCallbacks(Long.MAX_VALUE);
        assertThat(ran.getNow(null)).isEqualTo("ran");
    }

    private void expireFor(PendingAnswers answers, long millis) {
        for (long i = 0; i < millis; i++) {
            clock.advance(1_000_000);
            answers.expire();
        }
    }
}
