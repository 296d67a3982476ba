package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.flight.FlightRecorder;
import dev.escapement.physics.replay.format.LogHeader;
import dev.escapement.physics.replay.format.TickEncoder;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.MemorySource;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.replay.log.ReplayResult;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Divergences that a replay finds, and logs that it refuses. */
@Timeout(60)
class ReplayTest {

    private static final RunDescription RUN = new RunDescription("spring", "1", "30", 4, TickRate.hertz(100));
    private static final long TICK_NANOS = 10_000_000;
    private static final int BODIES = 30;

    @TempDir
    Path folder;

    private final ManualClock clock = new ManualClock(0);

    @Test
    void shouldSayThatASimulationCannotBeRecorded() throws IOException {
        Simulation hashless = ScriptedSimulation.good();
        String message = "does not implement hash(), which a log has after every tick";
        try (Recording recording = Recording.create(folder.resolve("no.esclog"), RUN)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() ->
                            PhysicsService.builder(hashless).with(recording).inline(clock))
                    .withMessageContaining(message);
        }
        FlightRecorder flight = FlightRecorder.in(folder.resolve("flight"), RUN);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PhysicsService.builder(hashless).with(flight).inline(clock))
                .withMessageContaining(message);
    }

    /** The first commands need not be the ones that matter, but they may have been. */
    @Test
    void shouldNameTheFirstCommandsAndEachOfTheirTicks() throws IOException {
        PushedMasses pushed = new PushedMasses(BODIES);
        InputLog log = record(pushed, driver -> {
            run(driver, 1);
            assertThat(driver.command(tick -> tick)).isNotDone();
            run(driver, 2);
            assertThat(driver.command(tick -> push(pushed, 3))).isNotDone();
            run(driver, 2);
        });
        List<Boolean> commands = new ArrayList<>();
        try (TickSource ticks = log.open(new PushedMasses(BODIES))) {
            for (long tick = 1; ticks.isReady(); tick++) {
                ticks.take(tick);
                commands.add(ticks.localRan());
            }
        }
        assertThat(commands).containsExactly(false, true, false, true, false);
        InlineDriver replay = replay(log, new PushedMasses(BODIES));
        run(replay, 5);
        assertThat(replay.divergence().orElseThrow().tick()).isEqualTo(4);
        assertThat(replay.divergence().orElseThrow().commandTick()).isEqualTo(2);
        assertThat(replay.divergence().orElseThrow().toString())
                .endsWith(
                        "; the recorded run had commands before tick 2 that are not data, so that no log can repeat them");
    }

    private static long push(PushedMasses simulation, int body) {
        simulation.push(body, 0, 0, 1);
        return body;
    }

    @Test
    void shouldNameCommandsBeforeATickWithoutHash() throws IOException {
        RecordedInput input = new RecordedInput();
        input.begin(TICK_NANOS);
        TickEncoder ticks = new TickEncoder(List.of(), 1 << 10);
        ticks.buffer().put(new LogHeader(RUN, List.of()).encode());
        ticks.putLocal("Local");
        ticks.putBegun(Tick.of(RUN.rate(), 1, 0, 0, input.frame(), false));
        ticks.putBegun(Tick.of(RUN.rate(), 2, 0, 0, input.frame(), false));
        ticks.putHash(7);
        byte[] log = new byte[ticks.buffer().flip().remaining()];
        ticks.buffer().get(log);
        ReplayResult different = MemorySource.log(log).repeat(() -> new PushedMasses(BODIES));
        assertThat(different.divergence().orElseThrow().commandTick()).isEqualTo(1);
    }

    @Test
    void shouldKeepLiveInputFromTicksAndReportAListener() throws IOException {
        InputLog log = record(new PushedMasses(BODIES), 20);
        List<Integer> reported = new ArrayList<>();
        InlineDriver driver = PhysicsService.builder(new PushedMasses(BODIES))
                .replay(log)
                .pausedInput((event, state) -> reported.add(event.code()))
                .inline(clock);
        driver.input().offer(clock.nanoTime() + 1, InputKind.KEY_DOWN, 32, 0, 0);
        run(driver, 25);
        driver.input().offer(clock.nanoTime(), InputKind.KEY_DOWN, 33, 0, 0);
        run(driver, 1);
        assertThat(reported).containsExactly(32, 33);
        assertThat(driver.divergence()).isEmpty();
    }

    /** Offsets stay; times come from the clock that runs the ticks now, here at half the speed. */
    @Test
    void shouldLetEventsHappenWhereTheirTickRunsNow() throws IOException {
        InputLog log = record(new PushedMasses(BODIES), 20);
        List<String> seen = new ArrayList<>();
        InlineDriver driver = replay(log, new Witness() {
            @Override
            public void step(Tick tick) throws Exception {
                super.step(tick);
                InputEvent event = tick.input().event(0);
                seen.add(event.offsetNanos() + " of " + tick.input().lengthNanos() + ": "
                        + (tick.dueNanos() - event.timeNanos()) + " before");
            }
        });
        driver.timeScale(new TimeScale(1, 2));
        run(driver, 5);
        assertThat(seen)
                .startsWith("1000000 of 10000000: 9000000 before", "1000000 of 10000000: 18000000 before")
                .hasSize(3);
    }

    @Test
    void shouldRefuseAnotherRate() throws IOException {
        InputLog log = record(new PushedMasses(BODIES), 2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PhysicsService.builder(new PushedMasses(BODIES))
                        .replay(log)
                        .rate(TickRate.hertz(50))
                        .inline(clock))
                .withMessage(
                        "the run that is followed says 100 Hz, but ticks are to run at 50 Hz; set both to the same rate");
        try (Recording other = Recording.create(folder.resolve("other"), RUN)) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> PhysicsService.builder(new PushedMasses(BODIES))
                            .rate(TickRate.hertz(50))
                            .with(other)
                            .inline(clock))
                    .withMessage("the recording says 100 Hz, but ticks are to run at 50 Hz; set both to the same rate");
        }
    }

    @Test
    void shouldRefuseALogWithoutTicks() throws IOException {
        Recording.create(folder.resolve("run"), RUN).close();
        InputLog log = InputLog.open(folder.resolve("run"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> replay(log, new PushedMasses(BODIES)))
                .withMessageStartingWith("there is nothing to replay: ")
                .withMessageContaining("run: 0 ticks of RunDescription[engine=spring");
    }

    /** Rounds, because a JIT compiler that replaces a method may charge the thread for it once. */
    @Test
    void shouldAllocateNothingPerRecordedTickOnceEverythingIsWarm() throws IOException {
        PushedMasses simulation = new PushedMasses(BODIES);
        Recording recording = Recording.create(folder.resolve("run"), RUN);
        InlineDriver driver = driver(simulation, recording);
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long fewestBytes = Long.MAX_VALUE;
        for (int round = 0; round < 10; round++) {
            long before = threads.getCurrentThreadAllocatedBytes();
            for (int tick = 0; tick < 1000; tick++) {
                for (int event = 0; event < 20; event++) {
                    driver.input().offer(clock.nanoTime() + event, InputKind.APPLICATION, 1, event, 0.01f);
                }
                run(driver, 1);
            }
            fewestBytes = Math.min(fewestBytes, threads.getCurrentThreadAllocatedBytes() - before);
        }
        recording.close();
        assertThat(recording.failure()).isEmpty();
        assertThat(simulation.inputsApplied()).isEqualTo(200_000);
        assertThat(fewestBytes).isZero();
    }

    private InlineDriver driver(Simulation simulation, Recording recording) {
        return PhysicsService.builder(simulation).with(recording).inline(clock);
    }

    private InputLog record(Simulation simulation, int ticks) throws IOException {
        return record(simulation, driver -> {
            for (int tick = 0; tick < ticks; tick++) {
                driver.input().offer(clock.nanoTime() + 1_000_000, InputKind.APPLICATION, 1, tick, 0.5f);
                run(driver, 1);
            }
        });
    }

    private InputLog record(Simulation simulation, Consumer<InlineDriver> what) throws IOException {
        Recording recording = Recording.create(folder.resolve("run"), RUN);
        try (InlineDriver driver = driver(simulation, recording)) {
            what.accept(driver);
        }
        recording.close();
        return InputLog.open(folder.resolve("run"));
    }

    private InlineDriver replay(InputLog log, Simulation simulation) {
        return PhysicsService.builder(simulation).replay(log).inline(clock);
    }

    private void run(InlineDriver driver, int ticks) {
        for (int tick = 0; tick < ticks; tick++) {
            clock.advance(TICK_NANOS);
            driver.runDueTicks();
        }
    }
}
