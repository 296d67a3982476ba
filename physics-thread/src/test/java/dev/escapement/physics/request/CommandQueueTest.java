package dev.escapement.physics.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.PushedMasses.Push;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.Await;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the queue with answers that complete when the test says so. */
class CommandQueueTest {

    private static final int PLACES = 8;

    private final IllegalStateException ended = new IllegalStateException("ended");
    private final UserCodeGuard guard = new UserCodeGuard();
    private final Queue<Runnable> answers = new ArrayDeque<>();
    private final AtomicReference<Runnable> whileAnswering = new AtomicReference<>(() -> {});
    private final CommandQueue queue = new CommandQueue("commands", PLACES, 5, this::answer, guard);

    private final List<Integer> done = new ArrayList<>();
    private final List<CompletableFuture<?>> offered = new ArrayList<>();

    private void answer(Runnable answer) {
        whileAnswering.getAndSet(() -> {}).run();
        answers.add(answer);
    }

    private void giveAnswers() {
        for (Runnable answer = answers.poll(); answer != null; answer = answers.poll()) {
            answer.run();
        }
    }

    private void abandon() {
        guard.enter();
        guard.abandon(guard.crossings());
        queue.end(ended);
    }

    @Test
    void shouldRunCommandsInOrderUpToTheLimit() {
        List<CompletableFuture<Answer<Integer>>> given = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            int number = i;
            given.add(queue.offer(tick -> {
                done.add(number);
                return 10 * number;
            }));
        }
        queue.run(3);
        assertThat(done).containsExactly(0, 1, 2, 3, 4);
        queue.run(4);
        assertThat(done).containsExactly(0, 1, 2, 3, 4, 5, 6);
        giveAnswers();
        assertThat(given.get(4)).isCompletedWithValue(new Answer<>(3, 40));
        assertThat(given.get(5)).isCompletedWithValue(new Answer<>(4, 50));
    }

    /** A command that offers itself again runs once per tick. */
    @Test
    void shouldRunWhatACommandGivesBeforeTheNextTick() {
        offered.add(queue.offer(this::again));
        offered.add(queue.offer(this::again));
        queue.run(1);
        assertThat(done).hasSize(2);
        queue.run(2);
        assertThat(done).hasSize(4);
    }

    private boolean again(long tick) {
        offered.add(queue.offer(this::again));
        return done.add(1);
    }

    @Test
    void shouldFailACommandAloneThatThrowsAnError() {
        OutOfMemoryError thrown = new OutOfMemoryError("of the test");
        CompletableFuture<Answer<Integer>> failing = queue.offer(tick -> {
            throw thrown;
        });
        CompletableFuture<Answer<Integer>> next = queue.offer(tick -> 7);
        assertThatCode(() -> queue.run(3)).doesNotThrowAnyException();
        giveAnswers();
        assertThatThrownBy(failing::join).hasCause(thrown);
        assertThat(next).isCompletedWithValue(new Answer<>(3, 7));
    }

    @Test
    void shouldRefuseToBeTooSmall() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CommandQueue("queries", 1, 5, this::answer, guard))
                .withMessage(
                        "a queue of queries needs room for 2 or more and at least 1 at a time, but is to have 1 and 5");
    }

    /** The watchdog abandons the thread just while it passes on a command's outcome. */
    @Test
    void shouldAnswerWhatRanBeforeTheQueueEnded() throws Exception {
        CompletableFuture<Answer<String>> ran = queue.offer(tick -> "ran");
        CompletableFuture<Answer<String>> waiting = queue.offer(tick -> "never");
        whileAnswering.set(this::abandon);
        queue.run(1);
        giveAnswers();
        assertThat(ran).isCompletedWithValue(new Answer<>(1, "ran"));
        assertThat(Await.failure(waiting)).isSameAs(ended);
    }

    /** The command ends the queue itself, as a command that closes its driver does. */
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

    /** A callback that blocks the answer thread must not let answers accumulate without bound. */
    @Test
    void shouldRefuseCommandsWhileTooManyAnswersWait() throws Exception {
        List<CompletableFuture<Answer<Long>>> futures = new ArrayList<>();
        for (int i = 0; i < PLACES; i++) {
            futures.add(queue.offer(tick -> tick));
        }
        queue.run(1);
        queue.run(2);
        assertThat(answers).hasSize(PLACES);
        assertThat(futures).hasSize(PLACES).noneMatch(CompletableFuture::isDone);
        assertThat(Await.failure(queue.offer(tick -> tick)))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessage(
                        "all 8 places of the queue of commands are taken, by those that wait to run and by those whose"
                                + " answer was not given yet; wait for some to be answered, and attach nothing to a future that blocks");
        assertThat(queue.refused()).isEqualTo(1);

        giveAnswers();
        assertThat(futures).hasSize(PLACES).allMatch(CompletableFuture::isDone);
        for (int i = 0; i < PLACES; i++) {
            assertThat(queue.offer(tick -> tick)).isNotDone();
        }
        assertThat(Await.failure(queue.offer(tick -> tick))).isInstanceOf(RejectedExecutionException.class);
    }

    /** When the callbacks of a future run, its command has left the queue and made room for another one. */
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

    static Stream<Wait> waits() {
        return Stream.of(
                CompletableFuture::join,
                CompletableFuture::get,
                future -> future.get(1, TimeUnit.HOURS),
                future -> future.thenApply(Answer::value).join());
    }

    interface Wait {

        Object of(CompletableFuture<Answer<Long>> future) throws Exception;
    }

    /** A wait for a command that runs later would never end. */
    @ParameterizedTest
    @MethodSource("waits")
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void shouldRefuseToWaitForACommandThatRunsLater(Wait wait) throws Exception {
        CompletableFuture<?> waiting = queue.offer(tick -> wait.of(queue.offer(now -> now)));
        guard.enter();
        queue.run(1);
        giveAnswers();
        assertThat(Await.failure(waiting))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith("thread '" + Thread.currentThread().getName() + "' would wait for itself");
    }

    /** The first command has run; another thread delivers its answer. */
    @Test
    void shouldLetACommandWaitForOneThatRanBefore() throws Exception {
        CompletableFuture<Answer<Long>> first = queue.offer(tick -> tick);
        CompletableFuture<?> waiting = queue.offer(tick -> first.get(1, TimeUnit.NANOSECONDS));
        guard.enter();
        queue.run(1);
        giveAnswers();
        assertThat(Await.failure(waiting)).isInstanceOf(TimeoutException.class);
    }

    @Test
    void shouldNameTheTypeOfTheCommandThatRuns() {
        CompletableFuture<Answer<Optional<String>>> answer = queue.offer(tick -> queue.running(), null, Push.TYPE);
        queue.run(1);
        giveAnswers();
        assertThat(answer.join().value()).contains("one of the commands (type 'push' version 1)");
        assertThat(queue.running()).isEmpty();
    }
}
