package dev.escapement.physics.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.Command;
import dev.escapement.physics.usercode.UserCodeGuard;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real producers; every wait is for an event, never for a time. */
@Timeout(60)
class CommandQueueThreadsTest {

    private static final int PRODUCERS = 3;
    private static final int EACH = 3_000;

    /** Commands of one producer run in its order, each once, also where others were refused between. */
    @Test
    void shouldKeepTheOrderOfEachProducer() throws Exception {
        CommandQueue queue = new CommandQueue("commands", 256, 50, AnswerThread.create(), new UserCodeGuard());
        int[] next = new int[PRODUCERS]; // by the thread that runs commands
        List<FutureTask<Integer>> producers = new ArrayList<>();
        for (int p = 0; p < PRODUCERS; p++) {
            int producer = p;
            producers.add(start(() -> produce(queue, producer, next)));
        }
        long tick = 0;
        while (!producers.stream().allMatch(FutureTask::isDone) || queue.hasMore()) {
            queue.run(++tick);
        }
        for (int p = 0; p < PRODUCERS; p++) {
            assertThat(producers.get(p).get()).isEqualTo(EACH);
            assertThat(next[p]).isEqualTo(EACH);
        }
    }

    /** Offers each number until it is accepted; in between waits for the one before. */
    private static int produce(CommandQueue queue, int producer, int[] next) throws Exception {
        CompletableFuture<Answer<Integer>> accepted = CompletableFuture.completedFuture(new Answer<>(0, 0));
        for (int i = 0; i < EACH; i++) {
            int number = i;
            Command<Integer> command = tick -> {
                if (next[producer] != number) {
                    throw new IllegalStateException("command " + number + " came in place of " + next[producer]);
                }
                return next[producer]++;
            };
            CompletableFuture<Answer<Integer>> offered = queue.offer(command);
            while (offered.isCompletedExceptionally()) {
                accepted.get();
                offered = queue.offer(command);
            }
            accepted = offered;
        }
        return EACH;
    }

    /** A command that is offered while the queue ends is answered, at the latest by the end. */
    @Test
    void shouldAnswerEveryCommandThatIsOfferedWhileItEnds() throws Exception {
        AtomicInteger ran = new AtomicInteger();
        int answered = 0;
        for (int round = 0; round < 60; round++) {
            CommandQueue queue = new CommandQueue("commands", 1024, 10, AnswerThread.create(), new UserCodeGuard());
            CyclicBarrier begin = new CyclicBarrier(PRODUCERS + 1);
            List<FutureTask<List<CompletableFuture<Answer<Integer>>>>> producers = new ArrayList<>();
            for (int p = 0; p < PRODUCERS; p++) {
                producers.add(start(() -> offerSome(queue, begin, ran)));
            }
            begin.await();
            for (int i = 0; i < round % 6; i++) {
                queue.run(1);
            }
            queue.end(new IllegalStateException("ended"));
            for (FutureTask<List<CompletableFuture<Answer<Integer>>>> producer : producers) {
                for (CompletableFuture<Answer<Integer>> future : producer.get()) {
                    boolean failed =
                            future.handle((answer, failure) -> failure != null).get(10, TimeUnit.SECONDS);
                    answered += failed ? 0 : 1;
                }
            }
        }
        assertThat(answered).as("answered are those that ran, and no others").isEqualTo(ran.get());
    }

    private static List<CompletableFuture<Answer<Integer>>> offerSome(
            CommandQueue queue, CyclicBarrier begin, AtomicInteger ran) throws Exception {
        List<CompletableFuture<Answer<Integer>>> futures = new ArrayList<>();
        begin.await();
        for (int i = 0; i < 30; i++) {
            futures.add(queue.offer(tick -> ran.incrementAndGet()));
        }
        return futures;
    }

    private static <T> FutureTask<T> start(Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        Thread thread = new Thread(task, "producer");
        thread.setDaemon(true);
        thread.start();
        return task;
    }
}
