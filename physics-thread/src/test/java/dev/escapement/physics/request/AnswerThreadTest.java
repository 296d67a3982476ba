package dev.escapement.physics.request;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AnswerThreadTest {

    @Test
    void shouldGiveAllAnswersOnOneDaemonThread() throws Exception {
        AnswerThread answers = new AnswerThread(Thread::new);
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        CountDownLatch given = new CountDownLatch(1000);
        for (int i = 0; i < 1000; i++) {
            answers.execute(() -> {
                threads.add(Thread.currentThread());
                given.countDown();
            });
        }
        given.await();
        assertThat(threads).hasSize(1).allMatch(Thread::isDaemon).doesNotContain(Thread.currentThread());
    }

    /** No thread can be created, as if the process had reached its limit of threads. */
    @Test
    void shouldAnswerOnTheCallersThreadWithoutMemory() {
        AnswerThread answers = new AnswerThread(work -> {
            throw new OutOfMemoryError("unable to create native thread: the test allows none");
        });
        CompletableFuture<Thread> answer = new CompletableFuture<>();
        answers.execute(() -> answer.complete(Thread.currentThread()));
        assertThat(answer).isCompletedWithValue(Thread.currentThread());
    }

    /** Seven callbacks block for ever. After the end of the service the remaining futures must still complete. */
    @Test
    void shouldGiveAllAnswersAfterTheEndThoughSevenBlock() throws Exception {
        AnswerThread answers = new AnswerThread(Thread::new);
        CountDownLatch letGo = new CountDownLatch(1);
        CountDownLatch given = new CountDownLatch(40);
        for (int i = 0; i < 7; i++) {
            answers.execute(() -> Await.open(letGo));
        }
        for (int i = 0; i < 40; i++) {
            answers.execute(given::countDown);
        }
        answers.end();
        given.await();
        letGo.countDown();
        CompletableFuture<String> late = new CompletableFuture<>();
        answers.execute(() -> late.complete(Thread.currentThread().getName()));
        assertThat(Await.get(late)).isEqualTo("escapement-answers");
    }

    /** A blocked callback delays the answers behind it until the end of the service; eight of them delay these for ever. */
    @Test
    void shouldHaveEightThreadsForBlockedCallbacksAfterTheEnd() {
        List<Thread> threads = new ArrayList<>();
        AnswerThread answers = new AnswerThread(work -> {
            threads.add(new Thread(work));
            return threads.get(threads.size() - 1);
        });
        CountDownLatch letGo = new CountDownLatch(1);
        for (int i = 0; i < 9; i++) {
            answers.execute(() -> Await.open(letGo));
        }
        assertThat(threads).as("before the end").hasSize(1);
        answers.end();
        assertThat(threads).hasSize(8);
        letGo.countDown();
    }
}
