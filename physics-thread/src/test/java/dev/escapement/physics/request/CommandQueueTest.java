package dev.escapement.physics.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.physics.Await;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.Command;
import dev.escapement.physics.usercode.UserCodeGuard;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
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
