package dev.escapement.physics.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.Internals;
import dev.escapement.physics.LiveRun;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.ScriptedSimulation;
import dev.escapement.physics.loop.TickLoop;
import dev.escapement.state.Await;
import dev.escapement.state.Logged;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TimeScale;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BlockedTicksTest {

    private final ManualClock clock = new ManualClock(0);
    private long stepNanos = 30_000_000;
    private final TickLoop loop = Internals.loop(
            PhysicsService.builder(new ScriptedSimulation(tick -> clock.advance(stepNanos))), clock, Runnable::run);
    private final BlockedTicks.Watched watched = new BlockedTicks.Watched(loop);
    private final Logged logged = new Logged("physics");

    @AfterEach
    void close() {
        logged.close();
    }

    /** Short blocks are reported only a few times in all; a call that never returns is always reported. */
    @Test
    void shouldReportAgainWhatTakesTwiceAsLong() {
        for (int load = 0; load < 100; load++) {
            blockFor(1);
        }
        assertThat(logged.records).hasSize(1);
        blockFor(5);
        blockFor(5);
        blockFor(3600);
        watched.isClosing = true; // which may take long
        blockFor(7200);
        assertThat(logged.records)
                .extracting(record -> record.getMessage().replaceAll("(?s).* for (\\d+ s), .*", "$1"))
                .containsExactly("1 s", "2 s", "4 s", "8 s");
    }

    /**
     * Steps of 30 ms, or a thread that gets its core 30 ms late, in ticks of 10 ms: three looks apart by a second, of which a pause between
     * them does not count.
     */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            30 | 0  | steps take 30 ms. Simulate less,
            0  | 30 | ticks ended late shortly before. Other programs have the cores, unless
            """)
    void shouldLogSlowMotionThatLasts(long stepMillis, long lateMillis, String cause) throws Exception {
        stepNanos = stepMillis * 1_000_000;
        BlockedTicks two = new BlockedTicks();
        two.all.addAll(List.of(watched, new BlockedTicks.Watched(loop)));
        loop.schedule.start(0, TimeScale.ONE);
        for (int second = 1; second <= 6; second++) {
            for (int tick = 0; tick < 33 && second != 3; tick++) {
                clock.advance(Math.max(0, loop.schedule.nextDueNanos() - clock.nanoTime()));
                clock.advance(lateMillis * 1_000_000);
                loop.runTick();
            }
            two.look();
            assertThat(logged.records).hasSize(second < 6 ? 0 : 1);
        }
        two.look();
        assertThat(logged.records)
                .singleElement()
                .satisfies(record -> assertThat(record.getMessage())
                        .startsWith(
                                "The physics service (and others: 1) has been slow for 2 s. Slow motion: 0.33 of real time,"
                                        + " because " + cause));
    }

    /** A cluster whose nodes are too far apart has slow ticks with short steps; its leader says why. */
    @ParameterizedTest
    @ValueSource(longs = {0, 30})
    void shouldLogTheSlowMotionOfAFollowedRunOnlyForLongSteps(long stepMillis) throws Exception {
        LiveRun run = new LiveRun();
        ScriptedSimulation simulation = new ScriptedSimulation(tick -> clock.advance(stepMillis * 1_000_000));
        TickLoop follows = Internals.loop(PhysicsService.builder(simulation).follow(run), clock, Runnable::run);
        BlockedTicks one = new BlockedTicks();
        one.all.add(new BlockedTicks.Watched(follows));
        follows.schedule.start(0, TimeScale.ONE);
        for (int tick = 1; tick <= 160; tick++) {
            run.dueNanos = tick * 33_000_000L;
            clock.advance(Math.max(0, run.dueNanos - clock.nanoTime()));
            follows.runTick();
            if (tick % 30 == 0) {
                one.look();
            }
        }
        assertThat(follows.stats.speed()).isLessThan(0.5);
        assertThat(logged.records).hasSize(stepMillis == 0 ? 0 : 1);
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
        assertThat(BlockedTicks.location(trace))
                .isEqualTo("at jdk.internal.misc.Unsafe.park(File.java:7), in game.Level.load(File.java:7), in"
                        + " game.Game.lambda$0(File.java:7)");
        assertThat(BlockedTicks.location(new StackTraceElement[0])).isEqualTo("and has ended");
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
        assertThat(BlockedTicks.location(trace))
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
        loop.guard.enter();
        for (int look = 0; look <= seconds; look++) {
            watched.look();
        }
        loop.guard.exit();
    }
}
