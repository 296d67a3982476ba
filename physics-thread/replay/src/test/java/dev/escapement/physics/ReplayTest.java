package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.physics.PushedMasses.Push;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.loop.Settings;
import dev.escapement.physics.loop.TickLoop;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.flight.FlightRecorder;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.replay.log.Scrubber;
import dev.escapement.physics.simulation.HungSimulationException;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.state.Await;
import dev.escapement.state.Logged;
import dev.escapement.state.event.EventStream;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.function.Consumer;
import java.util.logging.LogRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class ReplayTest {

    private static final RunDescription RUN = new RunDescription("spring", "1", "30", 4, TickRate.hertz(100));
    private static final long TICK_NANOS = 10_000_000;
    private static final int BODIES = 30;

    @TempDir
    Path folder;

    private final ManualClock clock = new ManualClock(0);
    private int logs;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRepeatARunWithSkippedOrSlowedTime(boolean isSlowed) throws Exception {
        Path file = folder.resolve("run.esclog");
        SplittableRandom random = new SplittableRandom(4);
        Witness witness = new Witness() {
            @Override
            public void step(Tick tick) throws Exception {
                super.step(tick);
                clock.advance(isSlowed ? 11_000_000 + random.nextInt(5_000_000) : random.nextInt(25_000_000));
            }
        };
        Recording recording = Recording.create(file, RUN);
        TickLoop loop = new TickLoop(
                PhysicsService.builder(witness)
                        .lateTicks(isSlowed ? LateTicks.dilate() : LateTicks.catchUp(0))
                        .with(recording)
                        .settings(Settings.Runner.OWN_THREAD),
                clock,
                Runnable::run);
        loop.schedule.start(0, TimeScale.ONE);
        RandomPlayer player = new RandomPlayer(3, loop.input, clock);
        for (int tick = 0; tick < 200; tick++) {
            clock.advance(Math.max(0, loop.schedule.nextDueNanos() - clock.nanoTime()));
            player.play();
            loop.runTick();
        }
        recording.close();
        assertThat(recording.failure()).isEmpty();
        assertThat(isSlowed ? loop.schedule.account.slowedNanos() : loop.schedule.account.skippedNanos())
                .isGreaterThan(500_000_000);
        Witness again = new Witness();
        ManualClock later = new ManualClock(0);
        try (InlineDriver driver =
                PhysicsService.builder(again).replay(InputLog.open(file)).inline(later)) {
            later.advance(1_000_000_000_000L);
            driver.runDueTicks();
            assertThat(driver.divergence()).isEmpty();
            assertStandsStillForGood(driver, later);
        }
        assertThat(again.hashes).isEqualTo(witness.hashes);
    }

    /** Each tick lasts 100 ms. Pauses stop some of them, up to several times, and some input is late. */
    @Test
    void shouldRepeatARunWithPausesWithinTicks() throws Exception {
        Path file = folder.resolve("run.esclog");
        SplittableRandom random = new SplittableRandom(117);
        Witness witness = new Witness();
        try (Recording recording = Recording.create(file, RUN)) {
            InlineDriver driver =
                    PhysicsService.builder(witness).with(recording).inline(clock);
            driver.timeScale(new TimeScale(1, 10));
            RandomPlayer player = new RandomPlayer(3, driver.input(), clock);
            for (int look = 0; look < 6_000; look++) {
                clock.advance(3_000_000);
                player.play();
                driver.runDueTicks();
                switch (random.nextInt(10)) {
                    case 0 -> driver.pause();
                    case 1, 2 -> driver.resume();
                    case 3 -> assertThat(driver.command(tick -> true)).isNotNull();
                    default -> {}
                }
            }
        }
        Witness again = new Witness();
        InputLog.open(file).repeat(() -> again);
        assertThat(again.hashes).isEqualTo(witness.hashes).hasSizeGreaterThan(60);
    }

    /** Checks that nothing runs after the end of the log, whichever method runs the ticks. */
    private static void assertStandsStillForGood(InlineDriver driver, ManualClock clock) {
        driver.resume();
        assertThat(driver.runDueTicks()).isZero();
        driver.step();
        for (int second = 0; second < 3; second++) {
            clock.advance(1_000_000_000);
            assertThat(driver.runDueTicks()).isZero();
        }
    }

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

    /** A divergence names the tick of the first command without a {@code CommandType}, because this command may have caused it. */
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
                commands.add(!ticks.local().isEmpty());
            }
        }
        assertThat(commands).containsExactly(false, true, false, true, false);
        InlineDriver replay = replay(log, new PushedMasses(BODIES));
        run(replay, 5);
        assertThat(replay.divergence().orElseThrow().tick()).isEqualTo(4);
        assertThat(replay.divergence().orElseThrow().toString())
                .endsWith("; tick 2 used what no log can repeat: a command that is not data");
    }

    private static long push(PushedMasses simulation, int body) {
        simulation.push(body, 0, 0, 1);
        return body;
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

    /** A replay takes no input from its ring, so nothing may wait for its next tick. */
    @Test
    void shouldDropApplicationEventsOfAReplay() throws IOException {
        InlineDriver driver = replay(record(new PushedMasses(BODIES), 20), new PushedMasses(BODIES));
        driver.input().offer(clock.nanoTime(), InputKind.APPLICATION, 1, 0, 0);
        run(driver, 1);
        assertThat(driver.input().droppedWhilePaused()).isOne();
        assertThat(driver.pendingInputs()).isZero();
    }

    /** A replay keeps the offsets of events in their tick. Their times come from the replay's clock, here at half the speed. */
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

    /** Takes the best of several rounds, because in one of them a JIT compiler that replaces a method may charge the thread. */
    @Test
    void shouldAllocateNothingPerRecordedTickOnceEverythingIsWarm() throws IOException {
        PushedMasses simulation = new PushedMasses(BODIES);
        Recording recording = Recording.create(folder.resolve("run"), RUN);
        InlineDriver driver = driver(simulation, recording);
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        long fewestBytes = Long.MAX_VALUE;
        for (int round = 0; round < 5; round++) {
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
        assertThat(simulation.inputsApplied()).isEqualTo(100_000);
        assertThat(fewestBytes).isZero();
    }

    /** The simulation returns the hash of a tick after the watchdog has abandoned it. The log lacks that tick, because no reader saw it. */
    @Test
    void shouldRecordNoTickWhoseHashComesAfterItsAbandonment() throws Exception {
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch letGo = new CountDownLatch(1);
        ScriptedSimulation comesBack = new ScriptedSimulation(tick -> {}) {
            private int hashed;

            @Override
            public long hash() {
                if (++hashed > 6) {
                    hanging.countDown();
                    Await.open(letGo);
                }
                return hashed;
            }
        };
        Path file = folder.resolve("run");
        try (Recording recording = Recording.create(file, RUN);
                PhysicsService service = Internals.service(
                        PhysicsService.builder(comesBack).watchdog(80).with(recording), clock)) {
            AwaitService.hang(service, clock, hanging);
            letGo.countDown();
            comesBack.closed.await();
        }
        assertThat(InputLog.open(file).ticks()).isEqualTo(6);
    }

    /** A source that hangs in {@code poll}, or in {@code take} if its tick is ready. */
    private record Hanging(boolean isReady, CountDownLatch hanging, CountDownLatch letGo)
            implements TickSource, TickSource.Run {

        @Override
        public TickRate rate() {
            return RUN.rate();
        }

        @Override
        public TickSource open(Simulation simulation) {
            return this;
        }

        @Override
        public void poll() {
            hanging.countDown();
            Await.open(letGo);
        }

        @Override
        public void take(long tick) {
            hanging.countDown();
            Await.open(letGo);
        }

        @Override
        public InputFrame input(long fromNanos, long dueNanos) {
            throw new AssertionError("no tick was taken");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldAbandonASourceOfTicksThatHangs(boolean isReady) throws Exception {
        Hanging source = new Hanging(isReady, new CountDownLatch(1), new CountDownLatch(1));
        try (PhysicsService service = Internals.service(
                PhysicsService.builder(ScriptedSimulation.good()).follow(source).watchdog(80), clock)) {
            AwaitService.hang(service, clock, source.hanging);
            assertThat(service.failure()).containsInstanceOf(HungSimulationException.class);
            source.letGo.countDown();
        }
    }

    /** The service refuses commands beyond the limits of a recording, so that the log stays repeatable and memory bounded. */
    @Test
    void shouldNotRunWhatARecordingHasNoRoomFor() throws Exception {
        CommandType<byte[], Integer> large =
                CommandType.of("large", 1, (bytes, to) -> to.write(bytes), from -> ((InputStream) from).readAllBytes());
        int[] ran = {0};
        PushedMasses simulation = new PushedMasses(BODIES);
        simulation.commands().on(large, (tick, bytes) -> ran[0]++);
        List<CompletableFuture<?>> answers = new ArrayList<>();
        record(simulation, driver -> {
            driver.pause();
            run(driver, 1);
            for (int i = 0; i < 300; i++) {
                answers.add(driver.command(large, new byte[CommandType.MAX_BYTES]));
            }
            driver.runDueTicks();
            assertThat(ran[0]).isEqualTo(256); // 16 MiB
            driver.resume();
            run(driver, 1);
            run(driver, 1);
            answers.add(driver.command(large, new byte[CommandType.MAX_BYTES]));
            run(driver, 1);
        });
        assertThat(ran[0]).isEqualTo(257);
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(answers.get(256)::get)
                .withMessageContaining(
                        "256 commands with 16777216 bytes ran since the last tick, and a recording has room for no"
                                + " more");
    }

    @Test
    void shouldTakeNoOthersInAReplay() throws Exception {
        InputLog log = record(new PushedMasses(BODIES), 1);
        try (InlineDriver replay = replay(log, new PushedMasses(BODIES))) {
            var refused = replay.command(Push.TYPE, new Push(5, 1));
            run(replay, 1);
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(refused::get)
                    .withMessageContaining(
                            "a replay runs the commands that were recorded, and takes no others that are data, as"
                                    + " this one of type 'push' version 1");
            assertThat(replay.divergence()).isEmpty();
        }
    }

    @Test
    void shouldRefuseALogWhoseCommandsNothingHandles() throws Exception {
        InputLog used = record(new PushedMasses(BODIES), driver -> {
            assertThat(driver.command(Push.TYPE, new Push(5, 1))).isNotDone();
            run(driver, 1);
        });
        InputLog unused = record(new PushedMasses(BODIES), 1);
        Simulation deaf = new PushedMasses(BODIES) {
            @Override
            public CommandHandlers commands() {
                return CommandHandlers.none();
            }
        };
        String message = "the simulation has no handler for commands of type 'push' version 1";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> replay(used, deaf))
                .withMessageStartingWith(message);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Scrubber(used, () -> deaf, PoseLayout.PLAIN))
                .withMessageStartingWith(message);
        try (Scrubber scrubber = new Scrubber(unused, () -> deaf, PoseLayout.PLAIN)) {
            assertThat(scrubber.goTo(1).tick()).isEqualTo(1);
        }
    }

    /** The thread that writes logs one warning of commands without a {@code CommandType}. A replay logs none. */
    @Test
    void shouldWarnOfOthersWhenTheyAreRecorded() throws Exception {
        try (Logged logged = new Logged("physics")) {
            record(new PushedMasses(BODIES), driver -> {
                run(driver, 1);
                assertThat(driver.command(tick -> tick)).isNotDone();
                run(driver, 1);
                assertThat(driver.command(tick -> tick)).isNotDone();
                run(driver, 1);
            });
            assertThat(logged.records)
                    .extracting(LogRecord::getMessage)
                    .singleElement()
                    .asString()
                    .startsWith(
                            "Before tick 2 a command ran that is not data, so that this recording cannot repeat it");
        }
    }

    /** Masses whose rules drain the events of their service, as a live run alone has them. */
    private static final class DrainingMasses extends PushedMasses {

        @Nullable
        EventStream events;

        private int drained;

        DrainingMasses() {
            super(BODIES);
        }

        @Override
        public void step(Tick tick) {
            super.step(tick);
            drained += events == null ? 0 : events.drain(event -> {});
        }

        @Override
        public long hash() {
            return super.hash() + drained;
        }
    }

    @Test
    void shouldNameEventsThatTheStepDrained() throws Exception {
        DrainingMasses masses = new DrainingMasses();
        FlightRecorder flight = FlightRecorder.in(folder.resolve("flight"), RUN);
        List<Path> logs = List.of(folder.resolve("drained.esclog"), folder.resolve("flight.esclog"));
        try (Logged logged = new Logged("physics")) {
            try (Recording recording = Recording.create(logs.get(0), RUN);
                    InlineDriver driver = PhysicsService.builder(masses)
                            .with(recording)
                            .with(flight)
                            .inline(clock)) {
                masses.events = driver.events(64);
                run(driver, 5);
                flight.save(logs.get(1));
            }
            assertThat(logged.records)
                    .extracting(LogRecord::getMessage)
                    .filteredOn(message -> message.contains("drained"))
                    .singleElement()
                    .asString()
                    .startsWith("The step of tick 2 drained events of its own service");
        }
        for (Path log : logs) {
            assertThat(InputLog.open(log).repeat(DrainingMasses::new).text())
                    .startsWith("differs at tick 2: ")
                    .endsWith("; tick 2 used what no log can repeat: events of its own service, drained in the step");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldTellCommandsFromEventsThatTheStepDrained(boolean isCommanded) throws Exception {
        DrainingMasses masses = new DrainingMasses();
        try (Logged logged = new Logged("physics")) {
            InputLog log = record(masses, driver -> {
                masses.events = driver.events(64);
                run(driver, 1);
                assertThat(isCommanded && driver.command(tick -> tick).isDone()).isFalse();
                run(driver, 1);
            });
            List<Long> commands = new ArrayList<>();
            TickHook noting = new TickHook() {
                @Override
                public void command(long tick, Object command) {
                    commands.add(tick);
                }
            };
            PhysicsServiceBuilder replay =
                    PhysicsService.builder(new DrainingMasses()).replay(log).with(noting);
            run(replay.inline(clock), 2);
            assertThat(commands).isEqualTo(isCommanded ? List.of(2L) : List.of());
            assertThat(log.repeat(DrainingMasses::new).text())
                    .endsWith(isCommanded ? TickHook.Stepped.COMMAND : TickHook.Stepped.DRAINED);
            assertThat(logged.records)
                    .filteredOn(record -> record.getMessage().startsWith("Before tick 2 a command ran"))
                    .hasSize(commands.size());
        }
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
        Path file = folder.resolve("run" + logs++);
        Recording recording = Recording.create(file, RUN);
        try (InlineDriver driver = driver(simulation, recording)) {
            what.accept(driver);
        }
        recording.close();
        assertThat(recording.failure()).isEmpty();
        return InputLog.open(file);
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
