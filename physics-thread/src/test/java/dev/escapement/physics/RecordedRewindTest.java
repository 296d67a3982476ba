package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.physics.replay.FlightRecorder;
import dev.escapement.physics.replay.InputLog;
import dev.escapement.physics.replay.Recording;
import dev.escapement.physics.replay.Repetition;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.Scrubber;
import dev.escapement.physics.replay.StateHistory;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run that goes back while it is recorded: its log does the same. */
@Timeout(60)
class RecordedRewindTest extends RewindFixture {

    private static final RunDescription RUN = new RunDescription("masses", "1", "", 0, RATE);
    private static final int TICKS = 500;
    private static final int KEY_W = 87;

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void chooseAFile() {
        file = folder.resolve("run.esclog");
    }

    /** Number, hash and a coordinate of each tick. */
    private final List<String> seen = new ArrayList<>();

    private static String seen(Snapshot shown, PushedMasses of) {
        return shown.simulationTick() + " " + of.hash() + " " + shown.poses().block(0).px[1];
    }

    private void record(long seed, int every) throws IOException {
        TracedMasses traced = new TracedMasses(BODIES);
        driver.close();
        try (Recording recording = Recording.create(file, RUN)) {
            driver = builder(traced, StateHistory.ofTicks(60).every(every))
                    .record(recording)
                    .inline(clock);
            SnapshotReader reader = driver.newReader();
            SplittableRandom random = new SplittableRandom(seed);
            RandomPlayer player = new RandomPlayer(seed, driver.input(), clock);
            long oldest = 0;
            for (int tick = 0; tick < TICKS; tick++) {
                player.play();
                push(random.nextInt(BODIES + 1));
                oldest = Math.max(oldest, traced.last() - 60);
                long to = traced.last();
                for (int again = random.nextInt(12); again > 9; again--) { // up to twice before a tick
                    to = random.nextLong(oldest, to + 1);
                    assertThat(random.nextBoolean() ? driver.rewind(to) : driver.rerun(to))
                            .isNotNull();
                    push(random.nextInt(BODIES));
                }
                run(1);
                if (tick > 1) { // a window is three ticks
                    assertThat(reader.acquire()).isTrue();
                    seen.add(seen(reader.window().newest(), traced));
                }
            }
            driver.close();
            assertThat(recording.failure()).isEmpty();
        }
        assertThat(told).filteredOn(line -> !line.startsWith("tick")).hasSizeGreaterThan(50);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7})
    void shouldBeRepeatedByItsLog(int every) throws Exception {
        record(every, every);
        InputLog log = InputLog.open(file);
        assertThat(log.lastTick()).isEqualTo(TICKS);
        assertThat(log.repeat(() -> new PushedMasses(BODIES))).hasToString("ran through");

        ManualClock later = new ManualClock(5_000);
        List<String> toldAgain = new ArrayList<>();
        TracedMasses again = new TracedMasses(BODIES);
        Path second = folder.resolve("second.esclog");
        try (Recording recording = Recording.create(second, RUN);
                InlineDriver replay = PhysicsService.builder(again)
                        .replay(log)
                        .record(recording)
                        .listener(listener(toldAgain))
                        .inline(later)) {
            SnapshotReader reader = replay.newReader();
            for (int tick = 0; tick < TICKS; tick++) {
                later.advance(10_000_000);
                assertThat(replay.runDueTicks()).isEqualTo(1);
                if (tick > 1) {
                    assertThat(reader.acquire()).isTrue();
                    assertThat(seen(reader.window().newest(), again)).isEqualTo(seen.get(tick - 2));
                }
            }
            assertThat(replay.divergence()).isEmpty();
        }
        assertThat(toldAgain).isEqualTo(told);
        again.requireTheHashesOfARunWithoutRewinds();
        assertThat(InputLog.open(second).repeat(() -> new PushedMasses(BODIES))).hasToString("ran through");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7})
    void shouldBeForkedOnBothSidesOfTheTickWhereItWentBack(int every) throws Exception {
        driver.close();
        try (Recording recording = Recording.create(file, RUN)) {
            driver = builder(new PushedMasses(BODIES), StateHistory.ofTicks(100))
                    .record(recording)
                    .inline(clock);
            driver.input().offer(clock.nanoTime(), InputKind.KEY_DOWN, KEY_W, 0, 0);
            run(70);
            driver.input().offer(clock.nanoTime(), InputKind.KEY_UP, KEY_W, 0, 0);
            run(30);
            assertThat(driver.rewind(50)).isNotNull();
            run(20);
            driver.close();
        }
        TracedMasses again = new TracedMasses(BODIES);
        driver = PhysicsService.builder(again)
                .replay(InputLog.open(file))
                .history(StateHistory.ofTicks(100).every(every))
                .inline(clock);
        run(115);
        assertThat(again.last()).isEqualTo(65);
        for (long from : new long[] {45, 49, 51, 62}) {
            TracedMasses other = new TracedMasses(BODIES);
            CompletableFuture<PhysicsServiceBuilder> forked = driver.fork(from, () -> other);
            run(1);
            ManualClock later = new ManualClock(0);
            try (InlineDriver fork = forked.join().inline(later)) {
                later.advance(10_000_000);
                assertThat(fork.runDueTicks()).isEqualTo(1);
            }
            assertThat(other.got(from + 1, from + 1)).isEqualTo(again.got(from + 1, from + 1));
        }
    }

    @Test
    void shouldBeScrubbed() throws Exception {
        record(3, 1);
        TracedMasses[] now = new TracedMasses[1];
        AtomicBoolean failing = new AtomicBoolean();
        SplittableRandom random = new SplittableRandom(5);
        try (Scrubber scrubber = new Scrubber(
                InputLog.open(file),
                () -> now[0] = new TracedMasses(BODIES) {
                    @Override
                    public void step(Tick tick) {
                        if (failing.get()) {
                            throw new IllegalStateException("once");
                        }
                        super.step(tick);
                    }
                },
                PoseLayout.PLAIN)) {
            for (int i = 0; i < 60; i++) {
                if (i == 30) { // it begins anew after this
                    failing.set(true);
                    assertThatIllegalStateException().isThrownBy(() -> scrubber.goTo(TICKS - 1));
                    failing.set(false);
                }
                int tick = random.nextInt(3, TICKS + 1);
                assertThat(seen(scrubber.goTo(tick), now[0])).isEqualTo(seen.get(tick - 3));
            }
            assertThat(scrubber.divergence()).isEmpty();
        }
    }

    @Test
    void shouldBeRefusedWhereNothingCanGoBack() throws Exception {
        record(1, 1);
        InputLog log = InputLog.open(file);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> log.repeat(Witness::new))
                .withMessageMatching("the run of the log went back \\d+ times, and .*Witness cannot, because it is not"
                        + " Restorable");
        try (InlineDriver replay = PhysicsService.builder(new PushedMasses(BODIES))
                .replay(log)
                .history(StateHistory.ofTicks(10))
                .inline(clock)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> replay.rewind(0))
                    .withMessageContaining("a run cannot go back while it follows another");
        }
    }

    /** Throws in tick 645, and can be restored in another process or not. */
    private static PushedMasses failing(boolean elsewhere) {
        return new PushedMasses(BODIES) {
            @Override
            public void step(Tick tick) {
                if (tick.number() == 645) {
                    throw new IllegalStateException("bodies overlap");
                }
                super.step(tick);
            }

            @Override
            public boolean restoresElsewhere() {
                return elsewhere;
            }
        };
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldBeRepeatedByAFlightRecording(boolean elsewhere) throws Exception {
        driver.close();
        driver = builder(failing(elsewhere), StateHistory.ofTicks(100))
                .flightRecorder(FlightRecorder.in(folder, RUN).maxBytes(1 << 20))
                .inline(clock);
        RandomPlayer player = new RandomPlayer(1, driver.input(), clock);
        for (int tick = 0; tick < 664; tick++) {
            player.play();
            push(tick % BODIES);
            if (tick == 25) {
                assertThat(driver.rewind(15)).isNotNull();
            }
            if (tick == 40) {
                assertThat(driver.rerun(20)).isNotNull();
                push(2);
            }
            run(1);
        }
        clock.advance(10_000_000);
        assertThatIllegalStateException().isThrownBy(driver::runDueTicks).withMessage("bodies overlap");
        driver.close();
        InputLog log;
        try (Stream<Path> files = Files.list(folder)) {
            log = InputLog.open(files.filter(path -> path.toString().contains("flight-threw-tick-645"))
                    .findFirst()
                    .orElseThrow());
        }
        assertThat(log.firstTick()).isEqualTo(elsewhere ? 21 : 1);
        assertThat(log.repeat(() -> failing(elsewhere)))
                .hasToString("repeated: tick 645 threw IllegalStateException as recorded")
                .extracting(Repetition::divergence)
                .isEqualTo(Optional.empty());
    }
}
