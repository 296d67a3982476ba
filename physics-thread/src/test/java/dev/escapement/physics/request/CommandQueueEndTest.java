package dev.escapement.physics.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.Await;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.usercode.UserCodeGuard;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands that wait, run or hang when another thread than the one that runs them ends the queue. */
@Timeout(60)
class CommandQueueEndTest {

    private final IllegalStateException ended = new IllegalStateException("ended");
    private final CommandQueue.Answers answers = AnswerThread.create();
    private final AtomicBoolean over = new AtomicBoolean();

    @AfterEach
    void end() {
        over.set(true);
    }

    @Test
    void shouldCompleteNothingOnTheThreadThatEndsIt() throws Exception {
        CommandQueue queue = new CommandQueue("commands", 8, 5, answers, new UserCodeGuard());
        CountDownLatch inCommand = new CountDownLatch(1);
        CountDownLatch letGo = new CountDownLatch(1);
        List<CompletableFuture<Thread>> completing = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            completing.add(queue.offer(tick -> {
                        inCommand.countDown();
                        letGo.await();
                        return tick;
                    })
                    .handle((answer, thrown) -> Thread.currentThread()));
        }
        Thread running = new Thread(() -> queue.run(1));
        running.start();
        inCommand.await();
        queue.end(ended);
        for (CompletableFuture<Thread> thread : completing) {
            assertThat(Await.get(thread).getName()).isEqualTo("escapement-answers");
        }
        letGo.countDown();
        running.join();
    }

    /** The thread that was abandoned polls for another command just when the queue is being emptied. */
    @Test
    void shouldRunNothingOnceItEnds() {
        List<Runnable> emptying = new ArrayList<>();
        CommandQueue queue = new CommandQueue(
                "commands",
                8,
                5,
                answer -> {
                    emptying.forEach(Runnable::run);
                    answer.run();
                },
                new UserCodeGuard());
        List<CompletableFuture<Answer<Long>>> futures = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            futures.add(queue.offer(tick -> tick));
        }
        emptying.add(() -> queue.run(1));
        queue.end(ended);
        assertThat(futures).allMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(queue.hasMore()).isFalse();
    }

    /** Rounds of real threads: a command that hangs is taken just as the queue ends, and one of the threads must fail it. */
    @Test
    void shouldFailACommandThatIsTakenWhileItEnds() throws Exception {
        AtomicReference<@Nullable CommandQueue> next = new AtomicReference<>();
        Thread running = new Thread(() -> runEach(next));
        running.setDaemon(true);
        running.start();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(900);
        for (int round = 0; System.nanoTime() - end < 0; round++) {
            CommandQueue queue = new CommandQueue("commands", 2, 1, Runnable::run, new UserCodeGuard());
            AtomicBoolean letGo = new AtomicBoolean();
            CompletableFuture<Answer<Long>> future = queue.offer(tick -> {
                while (!letGo.get() && !over.get()) {
                    Thread.onSpinWait();
                }
                return tick;
            });
            next.set(queue);
            for (int i = 0; i < round % 16; i++) {
                Thread.onSpinWait();
            }
            queue.end(ended);
            assertThat(Await.failure(future)).isSameAs(ended);
            letGo.set(true);
            Await.until(() -> next.get() == null);
        }
        over.set(true);
        running.join();
    }

    private void runEach(AtomicReference<@Nullable CommandQueue> next) {
        while (!over.get()) {
            CommandQueue queue = next.get();
            if (queue != null) {
                queue.run(1);
                next.set(null);
            }
        }
    }
}
