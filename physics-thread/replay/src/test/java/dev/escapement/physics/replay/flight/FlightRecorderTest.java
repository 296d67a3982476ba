package dev.escapement.physics.replay.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.physics.AwaitService;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.Internals;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.PushedMasses;
import dev.escapement.physics.Witness;
import dev.escapement.physics.replay.DamagedLogException;
import dev.escapement.physics.replay.FlightReport;
import dev.escapement.physics.replay.flight.FailingMasses.Game;
import dev.escapement.physics.replay.flight.FailingMasses.Way;
import dev.escapement.physics.replay.format.LogFormat;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.MemorySource;
import dev.escapement.physics.replay.log.ReplayResult;
import dev.escapement.physics.replay.log.ReplayResult.Outcome;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook.Fault.Reason;
import dev.escapement.state.Await;
import dev.escapement.state.Logged;
import dev.escapement.state.time.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(120)
class FlightRecorderTest {

    private static final int RING_BYTES = 8 << 20;

    /** A tick so late that newer files have replaced all first files of the ring. */
    private static final long FATAL_TICK = 10 * 500 + 123;

    @TempDir
    Path folder;

    private final Logged logged = new Logged("physics");
    private final ManualClock clock = new ManualClock(0);

    @AfterEach
    void stopLogging() {
        logged.close();
    }

    @ParameterizedTest
    @EnumSource(
            value = Way.class,
            names = {"STEP", "CAPTURE", "COMMAND", "NOT_FINITE"})
    void shouldRepeatAFailureFromItsFileAlone(Way way) throws IOException {
        fail(way, FATAL_TICK);
        InputLog log = InputLog.open(onlyFile());
        FlightReport report = log.report().orElseThrow();
        assertThat(report.reason()).isEqualTo(way == Way.NOT_FINITE ? Reason.NOT_FINITE : Reason.THREW);
        assertThat(report.tick()).isEqualTo(FATAL_TICK);
        assertThat(report.origin()).contains("Java " + System.getProperty("java.runtime.version"), "masses");
        assertThat(log.firstTick()).isBetween(FATAL_TICK - 4000, FATAL_TICK - 3000);
        assertThat(log.run()).isEqualTo(FailingMasses.RUN);

        assertThat(log.repeat(() -> new FailingMasses(way)))
                .hasToString("repeated: tick " + FATAL_TICK
                        + switch (way) {
                            case STEP -> " threw IllegalStateException as recorded";
                            case CAPTURE -> " threw UnsupportedOperationException as recorded";
                            case COMMAND -> " threw ArithmeticException as recorded";
                            default -> " captured a pose that was not finite or not normalised as recorded";
                        });
        assertThat(log.repeat(() -> new FailingMasses(Way.NOT_AT_ALL)))
                .hasToString("ran through: the failure did not repeat");
    }

    @Test
    void shouldNotTakeAnotherFailureForTheRecordedOne() throws IOException {
        fail(Way.STEP, 50);
        InputLog log = InputLog.open(onlyFile());
        assertThat(log.report().orElseThrow().toString())
                .startsWith("tick 50 threw IllegalStateException (java.lang.IllegalStateException: bodies overlap");
        ReplayResult other = log.repeat(() -> new FailingMasses(Way.CAPTURE));
        assertThat(other.outcome()).isEqualTo(Outcome.DIFFERED);
        assertThat(other.text())
                .isEqualTo("differs at tick 50, which threw java.lang.UnsupportedOperationException: no such pose;"
                        + " the recorded tick 50 threw IllegalStateException");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> log.repeat(Witness::new))
                .withMessageEndingWith("dev.escapement.physics.Witness cannot go on, because it is not Restorable");
    }

    @Test
    void shouldKeepOneFileForTheSameFault() throws IOException {
        fail(Way.STEP, 50);
        fail(Way.STEP, 60);
        assertThat(kept()).hasSize(1);
        fail(Way.CAPTURE, 60);
        assertThat(kept()).hasSize(2);
        assertThat(logged.records)
                .anySatisfy(record -> assertThat(record.getMessage())
                        .startsWith("The flight recorder has archived " + folder.toRealPath())
                        .contains("tick 50 threw IllegalStateException. Repeat it with 'replay "))
                .anySatisfy(record ->
                        assertThat(record.getMessage()).contains("has a file of this fault already: ", "tick 60"));
    }

    @Test
    void shouldRemoveTheOldestFile() throws IOException {
        fail(Way.STEP, 50);
        Path first = onlyFile();
        Files.setLastModifiedTime(first, FileTime.fromMillis(0));
        for (int other = 0; other < 19; other++) {
            Files.createFile(folder.resolve("flight-" + other + ".esclog"));
        }
        fail(Way.CAPTURE, 60);
        assertThat(kept()).hasSize(20).doesNotContain(first);
    }

    @Test
    void shouldSaveWhenAsked() throws Exception {
        Path file = folder.resolve("asked.esclog");
        FlightRecorder recorder = recorder();
        assertThatIllegalStateException()
                .isThrownBy(() -> recorder.save(file))
                .withMessage("the flight recorder has no run yet; pass it to a builder's with(...)");
        try (Game game = Game.of(Way.NOT_AT_ALL, recorder, 0)) {
            game.play(700);
            recorder.save(file);
            game.play(800);
        }
        InputLog log = InputLog.open(file);
        assertThat(log.lastPosition()).isEqualTo(700);
        assertThat(log.firstTick()).isEqualTo(1);
        assertThat(log.report().orElseThrow().toString())
                .startsWith("tick 700 was the last before the file was asked for, written 20");
        ReplayResult repetition = log.repeat(() -> new FailingMasses(Way.NOT_AT_ALL));
        assertThat(repetition.outcome()).isEqualTo(Outcome.RAN_THROUGH);
        assertThat(repetition).hasToString("ran through: the file was asked for, and has no failure");
        assertThatIllegalStateException()
                .isThrownBy(() -> recorder.save(file))
                .withMessage("the flight recorder has ended");
    }

    @Test
    void shouldNameTheClassOfACommandNoLogRepeats() throws IOException {
        Path file = folder.resolve("asked.esclog");
        FlightRecorder recorder = recorder();
        FailingMasses masses = new FailingMasses(Way.NOT_AT_ALL);
        try (Game game = new Game(PhysicsService.builder(masses), recorder, 0)) {
            game.play(20);
            var unused = game.driver.command(tick -> {
                masses.push(1, 1, 1, 1);
                return 0;
            });
            game.play(30);
            recorder.save(file);
        }
        assertThat(InputLog.open(file)
                        .repeat(() -> new FailingMasses(Way.NOT_AT_ALL))
                        .text())
                .startsWith("differs at tick 21: ")
                .endsWith("; tick 21 used what no log can repeat: a command that is not data, a lambda of "
                        + getClass().getName());
    }

    @Test
    void shouldKeepAnUnrestorableRunFromItsStart() throws IOException {
        Path file = folder.resolve("asked.esclog");
        FlightRecorder recorder = recorder().maxBytes(1 << 20);
        try (InlineDriver driver = driver(new Witness(), recorder)) {
            run(driver, 5000);
            recorder.save(file);
            run(driver, 20_000);
        }
        assertThat(logged.records)
                .anySatisfy(record -> assertThat(record.getMessage())
                        .contains(
                                "saves no state from which another process could continue",
                                "for up to 1048576 bytes, and then ends"));
        assertThat(recorder.failure().orElseThrow().toString()).contains("its ring has no room", "maxBytes(...)");
        InputLog log = InputLog.open(file);
        assertThat(log.ticks()).isEqualTo(5000);
        assertThat(log.repeat(Witness::new).outcome()).isEqualTo(Outcome.RAN_THROUGH);
    }

    @Test
    void shouldGoOnWithoutAFolderThatAnotherUses() throws IOException {
        FlightRecorder second = recorder();
        try (Game first = Game.of(Way.NOT_AT_ALL, recorder(), 0);
                Game game = Game.of(Way.NOT_AT_ALL, second, 0)) {
            first.play(5);
            game.play(5);
        }
        assertThat(second.failure().orElseThrow().cause())
                .hasMessageContaining(
                        "another flight recorder uses this folder, or still archives a file there; give each");
    }

    @Test
    void shouldGoOnWithoutRoomForAState() {
        FlightRecorder recorder = recorder().maxBytes(1 << 20);
        try (InlineDriver driver = driver(new PushedMasses(10_000), recorder)) {
            run(driver, 5);
        }
        assertThat(recorder.failure().orElseThrow().toString())
                .contains("a saved state takes 480", "give it more with maxBytes(...)");
    }

    /** The replay of a truncated file reports that it is truncated, wherever that is, and never that all ticks ran. */
    @Test
    void shouldSayWhereverAFileIsCutThatItIs() throws IOException {
        fail(Way.STEP, 8);
        byte[] whole = Files.readAllBytes(onlyFile());
        InputLog withoutEnd = MemorySource.log(Arrays.copyOf(whole, whole.length - LogFormat.RECORD_HEADER_BYTES));
        assertThat(withoutEnd.repeat(() -> new FailingMasses(Way.STEP)).outcome())
                .isEqualTo(Outcome.REPEATED);
        int repeated = 0;
        for (int length = 1; length < whole.length; length++) {
            InputLog log;
            try {
                log = MemorySource.log(Arrays.copyOf(whole, length));
            } catch (DamagedLogException refused) {
                assertThat(refused).hasMessageEndingWith("the file ends within its header");
                continue;
            }
            ReplayResult repetition = log.repeat(() -> new FailingMasses(Way.NOT_AT_ALL));
            assertThat(repetition.outcome()).as("cut at %d", length).isEqualTo(Outcome.INCOMPLETE);
            assertThat(repetition.text()).contains("ran to tick " + log.lastPosition() + ", where the file is cut off");
            repeated++;
        }
        assertThat(repeated).isGreaterThan(100);
    }

    @Test
    void shouldReplayAFileInAServiceToItsEnd() throws Exception {
        fail(Way.STEP, 20);
        InputLog log = InputLog.open(onlyFile());
        try (PhysicsService replay = PhysicsService.builder(new FailingMasses(Way.NOT_AT_ALL))
                .replay(log)
                .start()) {
            AwaitService.state(replay, ServiceState.PAUSED);
            assertThat(replay.lastPublishedTick()).isEqualTo(20);
            assertThat(replay.divergence()).isEmpty();
        }
    }

    @Test
    void shouldArchiveAHang() throws Exception {
        CountDownLatch hanging = new CountDownLatch(1);
        CountDownLatch letGo = new CountDownLatch(1);
        PushedMasses hangs = new PushedMasses(4) {
            @Override
            public void step(Tick tick) {
                super.step(tick);
                if (tick.number() == 10) {
                    hanging.countDown();
                    Await.open(letGo);
                }
            }
        };
        PhysicsServiceBuilder builder =
                PhysicsService.builder(hangs).watchdog(200).with(recorder()).onFailure(failure -> {});
        try (PhysicsService service = Internals.service(builder, clock)) {
            AwaitService.hang(service, clock, hanging);
        }
        InputLog log = InputLog.open(onlyFile());
        assertThat(log.report().orElseThrow().reason()).isEqualTo(Reason.HUNG);
        assertThat(log.report().orElseThrow().tick()).isEqualTo(10);
        assertThat(log.lastPosition()).isEqualTo(10);
        assertThat(FailingMasses.files(folder, "ring-")).isEmpty();
        letGo.countDown();
    }

    private void fail(Way way, long tick) {
        try (Game game = Game.of(way, recorder(), tick)) {
            game.play(tick);
        } catch (RuntimeException recorded) {
            // the recorder archives it
        }
    }

    private FlightRecorder recorder() {
        return FlightRecorder.in(folder, FailingMasses.RUN).maxBytes(RING_BYTES);
    }

    private InlineDriver driver(Simulation simulation, FlightRecorder recorder) {
        return PhysicsService.builder(simulation)
                .with(PunctualKeeper.of(recorder))
                .inline(clock);
    }

    private void run(InlineDriver driver, int ticks) {
        for (int tick = 0; tick < ticks; tick++) {
            clock.advance(10_000_000);
            driver.runDueTicks();
        }
    }

    private Path onlyFile() throws IOException {
        assertThat(kept()).hasSize(1);
        return kept().get(0);
    }

    private List<Path> kept() throws IOException {
        return FailingMasses.files(folder, "flight-");
    }
}
