package dev.escapement.physics.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.physics.Await;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.Command;
import dev.escapement.physics.usercode.UserCodeGuard;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class CommandQueueTest {

    private final CommandQueue queue = new CommandQueue("commands", 8, 5, AnswerThread.create(), new UserCodeGuard());
    private final List<Integer> done = new ArrayList<>();
    private final List<CompletableFuture<?>> given = new ArrayList<>();

    @Test
    void shouldRunCommandsInOrderAndNoMoreThanTheLimit() throws Exception {
        List<CompletableFuture<Answer<Integer>>> answers = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            int number = i;
            answers.add(queue.offer(tick -> {
                done.add(number);
                return 10 * number;
            }));
        }
        queue.run(3);
        assertThat(done).containsExactly(0, 1, 2, 3, 4);
        queue.run(4);
        assertThat(done).containsExactly(0, 1, 2, 3, 4, 5, 6);
        assertThat(Await.get(answers.get(4))).isEqualTo(new Answer<>(3, 40));
        assertThat(Await.get(answers.get(5))).isEqualTo(new Answer<>(4, 50));
    }

    @Test
    void shouldReportTheProducerWhatItsCommandThrewAndResume() throws Exception {
        CompletableFuture<Answer<Object>> failing = queue.offer(tick -> {
            throw new StackOverflowError("too deep");
        });
        CompletableFuture<Answer<Boolean>> next = queue.offer(tick -> done.add(1));
        queue.run(1);
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> Await.get(failing))
                .withCauseInstanceOf(StackOverflowError.class);
        assertThat(Await.get(next).value()).isTrue();
    }

    /** So a command that offers itself again runs once in every tick. */
    @Test
    void shouldRunWhatACommandGivesBeforeTheNextTick() {
        give(this::again);
        give(this::again);
        queue.run(1);
        assertThat(done).hasSize(2);
        queue.run(2);
        assertThat(done).hasSize(4);
    }

    private boolean again(long tick) {
        give(this::again);
        return done.add(1);
    }

    @Test
    void shouldFailWhatWaitsAndWhatComesLaterOnceItHasEnded() {
        CompletableFuture<Answer<Boolean>> waiting = queue.offer(tick -> done.add(1));
        queue.end(new IllegalStateException("ended"));
        CompletableFuture<Answer<Boolean>> late = queue.offer(tick -> done.add(2));
        for (CompletableFuture<?> future : List.of(waiting, late)) {
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> future.get(10, TimeUnit.SECONDS))
                    .withMessageContaining("ended");
        }
        queue.run(1);
        assertThat(done).isEmpty();
    }

    @Test
    void shouldRefuseToBeTooSmall() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new CommandQueue("queries", 1, 5, AnswerThread.create(), new UserCodeGuard()))
                .withMessage(
                        "a queue of queries needs room for 2 or more and at least 1 at a time, but is to have 1 and 5");
    }

    private <T> void give(Command<T> command) {
        given.add(queue.offer(command));
    }
}
