package dev.escapement.physics.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.Await;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.usercode.UserCodeGuard;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Each command has one outcome, and a place in the queue until its future is completed, which the test decides. */
class CommandOutcomeTest {

    private static final int PLACES = 8;

    private final IllegalStateException ended = new IllegalStateException("ended");
    private final UserCodeGuard guard = new UserCodeGuard();
    private final Queue<Runnable> answers = new ArrayDeque<>();
    private final AtomicReference<Runnable> whileAnswering = new AtomicReference<>(() -> {});
    private final CommandQueue queue = new CommandQueue("commands", PLACES, 5, this::answer, guard);

    private void answer(Runnable answer) {
        whileAnswering.getAndSet(() -> {}).run();
        answers.add(answer);
    }

    private void giveAnswers() {
        for (Runnable answer = answers.poll(); answer != null; answer = answers.poll()) {
            answer.run();
        }
    }

    /** What a watchdog does to the thread that runs commands. */
    private void abandon() {
        guard.enter();
        guard.abandon(guard.crossings());
        queue.end(ended);
    }

    /** The thread is abandoned just when it passes on the outcome of a command. */
    @Test
    void shouldAnswerWhatRanThoughTheQueueEndsBeforeItsAnswerIsGiven() throws Exception {
        CompletableFuture<Answer<String>> ran = queue.offer(tick -> "ran");
        CompletableFuture<Answer<String>> waiting = queue.offer(tick -> "never");
        whileAnswering.set(this::abandon);
        queue.run(1);
        giveAnswers();
        assertThat(ran).isCompletedWithValue(new Answer<>(1, "ran"));
        assertThat(Await.failure(waiting)).isSameAs(ended);
    }

    /** As one that closes a driver does. */
    @Test
    void shouldAnswerACommandThatEndsItsOwnQueue() throws Exception {
        CompletableFuture<Answer<String>> ending = queue.offer(tick -> {
            queue.end(ended);
            return "ended it";
        });
        CompletableFuture<Answer<String>> waiting = queue.offer(tick -> "never");
        queue.run(1);
        giveAnswers();
        assertThat(ending).isCompletedWithValue(new Answer<>(1, "ended it"));
        assertThat(Await.failure(waiting)).isSameAs(ended);
    }

    /** Otherwise a callback that blocks the answer thread would let answers accumulate without bound. */
    @Test
    void shouldRefuseCommandsWhileTooManyAnswersWait() throws Exception {
        List<CompletableFuture<Answer<Long>>> futures = new ArrayList<>();
        for (int i = 0; i < PLACES; i++) {
            futures.add(queue.offer(tick -> tick));
        }
        queue.run(1);
        queue.run(2);
        assertThat(answers).hasSize(PLACES);
        assertThat(futures).noneMatch(CompletableFuture::isDone);
        assertThat(Await.failure(queue.offer(tick -> tick)))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessage(
                        "all 8 places of the queue of commands are taken, by those that wait to run and by those whose"
                                + " answer was not given yet; wait for some to be answered, and attach nothing to a future that blocks");
        assertThat(queue.refused()).isEqualTo(1);

        giveAnswers();
        assertThat(futures).allMatch(CompletableFuture::isDone);
        for (int i = 0; i < PLACES; i++) {
            assertThat(queue.offer(tick -> tick)).isNotDone();
        }
        assertThat(Await.failure(queue.offer(tick -> tick))).isInstanceOf(RejectedExecutionException.class);
    }

    /** When a future is completed, the place is free, also for its callbacks. */
    @Test
    void shouldGiveAPlaceBackBeforeItsAnswer() {
        List<CompletableFuture<Answer<Long>>> next = new ArrayList<>();
        for (int i = 0; i < PLACES; i++) {
            assertThat(queue.offer(tick -> tick).thenRun(() -> next.add(queue.offer(tick -> tick))))
                    .isNotDone();
        }
        queue.run(1);
        giveAnswers();
        queue.run(2);
        giveAnswers();
        assertThat(next).hasSize(PLACES).noneMatch(CompletableFuture::isCompletedExceptionally);
    }
}
