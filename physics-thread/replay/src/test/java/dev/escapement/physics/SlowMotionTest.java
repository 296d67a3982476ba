package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Requests and input while the next tick is far away: 10 s at 100 Hz and a thousandth of real time. */
@Timeout(60)
class SlowMotionTest {

    private static final long TICK_NANOS = 10_000_000;
    private static final TimeScale SLOW = new TimeScale(1, 1000);
    private static final int CAPACITY = 16;

    private final ManualClock clock = new ManualClock(0);
    private final List<String> seen = new ArrayList<>();
    private int polls;

    @Test
    void shouldRunCommandsAndQueriesBetweenTicks() {
        InlineDriver driver = slow(builder());
        CompletableFuture<Answer<Long>> command = driver.command(tick -> tick);
        CompletableFuture<Answer<Long>> query = driver.query(tick -> tick);
        clock.advance(TICK_NANOS);
        assertThat(driver.runDueTicks()).isZero();
        assertThat(command).isCompletedWithValue(new Answer<>(2, 2L));
        assertThat(query).as("of the tick that was published last").isCompletedWithValue(new Answer<>(1, 1L));
    }

    /** A real thread. Each command runs in another look. */
    @Test
    void shouldAskNothingBeforeATickWasPublished() throws Exception {
        PhysicsService service =
                PhysicsService.builder(ScriptedSimulation.good()).build();
        service.timeScale(new TimeScale(1, 100_000));
        CompletableFuture<?> query = service.query(tick -> tick);
        service.start();
        for (int i = 0; i < 2; i++) {
            assertThat(Await.get(service.command(tick -> tick)).tick()).isEqualTo(1);
        }
        assertThat(query).isNotDone();
        service.close();
    }

    /** Nothing of it reaches a tick before its time. */
    @Test
    void shouldMakeRoomForInputBetweenTicks() {
        InlineDriver driver = slow(builder());
        for (int i = 0; i < 2 * CAPACITY; i++) {
            clock.advance(TICK_NANOS);
            driver.runDueTicks();
            assertThat(driver.input().offer(clock.nanoTime(), InputKind.APPLICATION, i, 0, 0))
                    .isTrue();
        }
        assertThat(seen).isEmpty();
        clock.advance(2_000 * TICK_NANOS);
        driver.runDueTicks(Integer.MAX_VALUE);
        assertThat(driver.input().rejected()).isZero();
        assertThat(seen).hasSize(2 * CAPACITY).startsWith("2: 0", "2: 1").endsWith("3: 30", "3: 31");
    }

    @Test
    void shouldPollDevicesBetweenTicks() {
        InlineDriver driver = slow(builder());
        int before = polls;
        driver.runDueTicks();
        driver.runDueTicks();
        assertThat(polls).isEqualTo(before + 2);
    }

    @Test
    void shouldRecordThatCommandsRanBetweenTicks(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("run");
        RunDescription run = new RunDescription("slow", "1", "", 0, TickRate.hertz(100));
        try (Recording recording = Recording.create(file, run);
                InlineDriver driver = slow(builder().with(recording))) {
            CompletableFuture<?> command = driver.command(tick -> tick);
            driver.runDueTicks();
            assertThat(command).isDone();
            clock.advance(2_000 * TICK_NANOS);
            assertThat(driver.runDueTicks(Integer.MAX_VALUE)).isEqualTo(2);
        }
        List<Boolean> ran = new ArrayList<>();
        try (TickSource ticks = InputLog.open(file).open(ScriptedSimulation.good())) {
            for (long tick = 1; ticks.isReady(); tick++) {
                ticks.take(tick);
                ran.add(ticks.localRan());
            }
        }
        assertThat(ran).containsExactly(false, true, false);
    }

    /** A real thread. The next tick is 500 s away. */
    @Test
    void shouldAnswerThoughTheNextTickIsFarAway() throws Exception {
        PhysicsService service = PhysicsService.builder(ScriptedSimulation.good())
                .rate(TickRate.hertz(2000))
                .inputCapacity(CAPACITY)
                .start();
        long last = Await.get(service.command(tick -> {
                    service.timeScale(new TimeScale(1, 1_000_000));
                    return tick;
                }))
                .tick();
        for (int i = 0; i < 3; i++) {
            assertThat(Await.get(service.command(tick -> tick)).tick()).isEqualTo(last + 1);
            assertThat(Await.get(service.query(tick -> tick)).tick()).isEqualTo(last);
        }
        service.close();
    }

    private PhysicsServiceBuilder builder() {
        return PhysicsService.builder(new ScriptedSimulation(this::step) {
                    @Override
                    public long hash() {
                        return 1;
                    }
                })
                .inputCapacity(CAPACITY)
                .source(ring -> polls++);
    }

    private void step(Tick tick) {
        for (int i = 0; i < tick.input().size(); i++) {
            seen.add(tick.number() + ": " + tick.input().event(i).code());
        }
    }

    /** One tick has run, and the next is due in 10 s. */
    private InlineDriver slow(PhysicsServiceBuilder builder) {
        InlineDriver driver = builder.inline(clock);
        driver.timeScale(SLOW);
        clock.advance(TICK_NANOS);
        assertThat(driver.runDueTicks()).isEqualTo(1);
        return driver;
    }
}
