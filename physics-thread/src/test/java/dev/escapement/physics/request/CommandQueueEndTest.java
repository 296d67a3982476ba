package dev.escapement.physics.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.Await;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests commands that wait, run or hang while another thread ends their queue. */
@Timeout(60)
class CommandQueueEndTest {

    private final IllegalStateException ended = new IllegalStateException("ended");

    /** The abandoned thread polls for another command just while the queue is being emptied. */
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
        assertThat(futures).hasSize(3).allMatch(CompletableFuture::isCompletedExceptionally);
        assertThat(queue.hasMore()).isFalse();
    }

    /** Repeats with real threads: a hanging command is taken just as the queue ends, and one of the two threads must fail it. */
    @Test
    void shouldFailACommandThatIsTakenWhileItEnds() throws Exception {
        for (int round = 0; round < 200; round++) {
            CommandQueue queue = new CommandQueue("commands", 2, 1, Runnable::run, new UserCodeGuard());
            CountDownLatch letGo = new CountDownLatch(1);
            CompletableFuture<?> future = queue.offer(tick -> letGo.await(30, TimeUnit.SECONDS));
            CyclicBarrier begin = new CyclicBarrier(2);
            FutureTask<Boolean> running = new FutureTask<>(() -> begin.await() >= 0 && queue.run(1) > 0);
            new Thread(running).start();
            begin.await();
            for (int i = 0; i < round % 16; i++) {
                Thread.onSpinWait();
            }
            queue.end(ended);
            assertThat(Await.failure(future)).isSameAs(ended);
            letGo.countDown();
            running.get();
        }
    }

    /** A game may keep futures of many services that are closed; each service holds its world. */
    @Test
    void shouldBeHeldByNoFutureOnceItHasEnded() {
        List<CompletableFuture<?>> kept = new ArrayList<>();
        WeakReference<CommandQueue> queue = new WeakReference<>(ended(kept));
        assertThat(kept).hasSize(8).allMatch(CompletableFuture::isDone);
        for (int look = 0; look < 100 && !queue.refersTo(null); look++) {
            System.gc();
        }
        assertThat(queue.refersTo(null)).as("the queue was collected").isTrue();
    }

    /** Returns a queue that has answered a command, failed one, cancelled one, refused one, and ended before and after an offer. */
    private CommandQueue ended(List<CompletableFuture<?>> kept) {
        CommandQueue queue = new CommandQueue("commands", 5, 5, Runnable::run, new UserCodeGuard());
        kept.add(queue.offer(tick -> tick));
        kept.add(kept.get(0).thenAccept(answer -> {}));
        kept.add(queue.offer(tick -> {
            throw ended;
        }));
        kept.add(queue.offer(tick -> tick));
        kept.get(3).cancel(false);
        queue.run(1);
        for (int i = 0; i < 6; i++) {
            kept.add(queue.offer(tick -> tick));
        }
        kept.subList(5, 9).clear();
        queue.end(ended);
        kept.add(queue.offer(tick -> tick));
        kept.add(queue.offer(tick -> tick).exceptionally(late -> null));
        return queue;
    }

    /** A command offered while the queue ends is answered, by its end at the latest. */
    @Test
    void shouldAnswerEveryCommandThatIsOfferedWhileItEnds() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        AtomicInteger ran = new AtomicInteger();
        int answered = 0;
        for (int round = 0; round < 60; round++) {
            CommandQueue queue =
                    new CommandQueue("commands", 1024, 10, new AnswerThread(Thread::new), new UserCodeGuard());
            CyclicBarrier begin = new CyclicBarrier(4);
            List<Future<List<CompletableFuture<Answer<Integer>>>>> producers = new ArrayList<>();
            for (int p = 0; p < 3; p++) {
                producers.add(threads.submit(() -> offerSome(queue, begin, ran)));
            }
            begin.await();
            for (int i = 0; i < round % 6; i++) {
                queue.run(1);
            }
            queue.end(new IllegalStateException("ended"));
            for (Future<List<CompletableFuture<Answer<Integer>>>> producer : producers) {
                for (CompletableFuture<Answer<Integer>> future : producer.get()) {
                    boolean failed =
                            future.handle((answer, failure) -> failure != null).get(10, TimeUnit.SECONDS);
                    answered += failed ? 0 : 1;
                }
            }
        }
        threads.shutdown();
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
}
