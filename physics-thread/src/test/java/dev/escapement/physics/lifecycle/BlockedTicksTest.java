package dev.escapement.physics.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.Await;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class BlockedTicksTest {

    private final UserCodeGuard guard = new UserCodeGuard();
    private final List<Long> reported = new ArrayList<>();
    private final BlockedTicks.Watched watched = new BlockedTicks.Watched(guard, reported::add);

    /** Short blocks are reported only a few times in all; a call that never returns is always reported. */
    @Test
    void shouldReportAgainWhatTakesTwiceAsLong() {
        for (int load = 0; load < 100; load++) {
            blockFor(1);
        }
        assertThat(reported).containsExactly(1L);
        blockFor(5);
        blockFor(5);
        blockFor(3600);
        assertThat(reported).containsExactly(1L, 2L, 4L, 8L);
    }

    @Test
    @Timeout(60)
    void shouldEndItsThreadWithTheLastService() throws Exception {
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        BlockedTicks all = new BlockedTicks();
        all.add(watched);
        Thread looks = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("escapement-blocked-ticks") && !before.contains(thread))
                .findFirst()
                .orElseThrow();
        all.remove(watched);
        looks.join();
    }

    @Test
    void shouldNameTheInnermostCallAndThoseOfTheGame() {
        StackTraceElement[] trace = {
            call("jdk.internal.misc.Unsafe", "park"),
            call("java.util.concurrent.locks.LockSupport", "park"),
            call("game.Level", "load"),
            call("java.util.Optional", "map"),
            call("game.Game", "lambda$0"),
        };
        assertThat(BlockedTicks.place(trace))
                .isEqualTo("at jdk.internal.misc.Unsafe.park(File.java:7), in game.Level.load(File.java:7), in"
                        + " game.Game.lambda$0(File.java:7)");
        assertThat(BlockedTicks.place(new StackTraceElement[0])).isEqualTo("and has ended");
    }

    /** The future of {@code allOf} does not show which command completes it, so the text says that it may wait for itself. */
    @Test
    void shouldSayThatAFutureMayWaitForItself() throws Exception {
        CompletableFuture<Void> command = new CompletableFuture<>();
        Thread waits = new Thread(() -> CompletableFuture.allOf(command).join());
        waits.start();
        Await.until(() -> waits.getState() == Thread.State.WAITING);
        StackTraceElement[] trace = waits.getStackTrace();
        command.complete(null);
        waits.join();
        assertThat(BlockedTicks.place(trace))
                .contains("BlockedTicksTest.java")
                .endsWith("it waits for itself for ever; continue with thenAccept(...)");
        assertThat(BlockedTicks.adviceOnFutures(trace)).matches(". It waits for a future: .*itself.*");
    }

    @Test
    void shouldSayNothingWhereACallerUsesAFuture() {
        StackTraceElement[] trace = {
            call("java.lang.Thread", "sleep"),
            call("game.Level", "load"),
            call("java.util.concurrent.CompletableFuture", "complete"),
            call("game.Game", "lambda$0"),
        };
        assertThat(BlockedTicks.adviceOnFutures(trace)).isEmpty();
        assertThat(BlockedTicks.adviceOnFutures(new StackTraceElement[0])).isEmpty();
    }

    private static StackTraceElement call(String type, String method) {
        return new StackTraceElement(type, method, "File.java", 7);
    }

    /** Stays in user code for this many looks of the watchdog, one per second. */
    private void blockFor(int seconds) {
        guard.enter();
        for (int look = 0; look <= seconds; look++) {
            watched.look();
        }
        guard.exit();
    }
}
