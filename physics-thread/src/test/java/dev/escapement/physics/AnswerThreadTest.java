package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AnswerThreadTest {

    private static final int COMMANDS = 1000;

    /** However many answers there are at a time, and whatever hangs on them. */
    @Test
    void shouldGiveAllAnswersOnOneDaemonThread() throws Exception {
        CommandQueue queue = new CommandQueue("commands", 1024, COMMANDS, AnswerThread.create(), new Heartbeat());
        Set<Thread> threads = ConcurrentHashMap.newKeySet();
        for (int round = 0; round < 5; round++) {
            List<CompletableFuture<Boolean>> seen = new ArrayList<>();
            for (int i = 0; i < COMMANDS; i++) {
                seen.add(queue.offer(tick -> tick).thenApply(answer -> threads.add(Thread.currentThread())));
            }
            queue.run(round);
            for (CompletableFuture<Boolean> future : seen) {
                Await.get(future);
            }
        }
        assertThat(threads).hasSize(1).allMatch(Thread::isDaemon).doesNotContain(Thread.currentThread());
    }
}
