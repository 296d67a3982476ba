package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.flight.FlightRecorder;
import dev.escapement.physics.replay.flight.PunctualKeeper;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.replay.log.ReplayResult;
import dev.escapement.physics.replay.log.Scrubber;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.ManualClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A run that goes back while it is recorded: its log does the same. */
@Timeout(60)
class RecordedRewindTest extends RewindFixture {

    private static final RunDescription RUN = new RunDescription("masses", "1", "", 0, RATE);
    private static final int TICKS = 500;
    private static final int KEY_W = 87;
    private static final int OVERLAP = 1000;

    @TempDir
    Path folder;

    private Path file;

    @BeforeEach
    void chooseAFile() {
        file = folder.resolve("run.esclog");
    }

    /** Number, hash and a coordinate of each tick that readers saw, by the tick in the log, which also has the re-simulated ticks. */
    private final Map<Integer, String> seen = new HashMap<>();

    private static String seen(Snapshot shown, PushedMasses of) {
        return shown.simulationTick() + " " + of.hash() + " " + shown.poses().block(0).px[1];
    }

    /** Returns how many ticks the log has. */
    private int record(long seed, int every, int rollBack) throws IOException {
        TracedMasses traced = new TracedMasses(BODIES);
        driver.close();
        try (Recording recording = Recording.create(file, RUN)) {
            StateHistory kept = StateHistory.ofTicks(60).every(every);
            driver = builder(traced, rollBack > 0 ? kept.rollBack(rollBack) : kept)
                    .with(recording)
                    .inline(clock);
            SnapshotReader reader = driver.newReader();
            SplittableRandom random = new SplittableRandom(seed);
            RandomPlayer player = new RandomPlayer(seed, driver.input(), clock);
            long oldest = 0;
            for (int tick = 0; tick < TICKS; tick++) {
                player.play();
                offerLate(random.nextInt(rollBack + 1));
                push(random.nextInt(BODIES + 1));
                oldest = Math.max(oldest, traced.last() - 60);
                long to = traced.last();
                for (int again = random.nextInt(12); again > 9; again--) { // up to twice before a tick
                    to = random.nextLong(oldest, to + 1);
                    assertThat(history.rewind(to)).isNotNull();
                    push(random.nextInt(BODIES));
                }
                run(1);
                if (tick > 1) { // a window is three ticks
                    assertThat(reader.acquire()).isTrue();
                    seen.put(tick + ranAgain(), seen(reader.window().newest(), traced));
                }
            }
            driver.close();
            assertThat(recording.failure()).isEmpty();
        }
        assertThat(told).filteredOn(line -> !line.startsWith("tick")).hasSizeGreaterThan(50);
        assertThat(ranAgain()).isBetween(rollBack * 50, rollBack * TICKS);
        return TICKS + ranAgain();
    }

    private int ranAgain() {
        return (int) driver.stats().resimulatedTicks();
    }

    /** Offers what belongs to an earlier tick, if it is one. */
    private void offerLate(int ticks) {
        if (ticks > 0) {
            driver.input().offer(clock.nanoTime() - ticks * 10_000_000L + 1, InputKind.APPLICATION, 1, ticks, 0.5f);
        }
    }

    /** Without returns that another one before the same tick has undone: a log has the last one. */
    private static List<String> lastReturns(List<String> told) {
        List<String> last = new ArrayList<>();
        for (String line : told) {
            if (!last.isEmpty()
                    && line.startsWith("went")
                    && last.get(last.size() - 1).startsWith("went")) {
                last.remove(last.size() - 1);
            }
            last.add(line);
        }
        return last;
    }

    @Test
    void shouldSayToWhichSimulationTickALogThatIsCutRan() throws Exception {
        driver.close();
        try (Recording recording = Recording.create(file, RUN)) {
            driver = builder(new TracedMasses(BODIES), StateHistory.ofTicks(60))
                    .with(recording)
                    .inline(clock);
            run(3);
            assertThat(history.rewind(1)).isNotNull();
            run(2);
            driver.close();
        }
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(whole, whole.length - 1));
        assertThat(InputLog.open(file).lastPosition()).isEqualTo(5);
        assertThat(InputLog.open(file).repeat(() -> new PushedMasses(BODIES)).text())
                .startsWith("ran to tick 3, where the log is cut off");
    }

    @ParameterizedTest
    @CsvSource({"1, 0", "7, 0", "1, 12", "7, 12"})
    void shouldBeRepeatedByItsLog(int every, int rollBack) throws Exception {
        int ticks = record(every, every, rollBack);
        InputLog log = InputLog.open(file);
        assertThat(log.lastPosition()).isEqualTo(ticks);
        assertThat(log.repeat(() -> new PushedMasses(BODIES))).hasToString("ran through");

        ManualClock later = new ManualClock(5_000);
        List<String> toldAgain = new ArrayList<>();
        TracedMasses again = new TracedMasses(BODIES);
        Path second = folder.resolve("second.esclog");
        try (Recording recording = Recording.create(second, RUN);
                InlineDriver replay = PhysicsService.builder(again)
                        .replay(log)
                        .with(recording)
                        .with(listener(toldAgain))
                        .inline(later)) {
            SnapshotReader reader = replay.newReader();
            for (int tick = 0; tick < ticks; tick++) {
                later.advance(10_000_000);
                assertThat(replay.runDueTicks()).isEqualTo(1);
                if (tick > 1) {
                    assertThat(reader.acquire()).isTrue();
                    String now = seen(reader.window().newest(), again);
                    assertThat(now).isEqualTo(seen.getOrDefault(tick, now));
                }
            }
            assertThat(replay.divergence()).isEmpty();
        }
        if (rollBack == 0) {
            assertThat(toldAgain).isEqualTo(lastReturns(told));
        }
        again.requireTheHashesOfARunWithoutRewinds();
        assertThat(InputLog.open(second).repeat(() -> new PushedMasses(BODIES))).hasToString("ran through");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7})
    void shouldBeForkedOnBothSidesOfAReturn(int every) throws Exception {
        driver.close();
        try (Recording recording = Recording.create(file, RUN)) {
            driver = builder(new PushedMasses(BODIES), StateHistory.ofTicks(100))
                    .with(recording)
                    .inline(clock);
            driver.input().offer(clock.nanoTime(), InputKind.KEY_DOWN, KEY_W, 0, 0);
            run(70);
            driver.input().offer(clock.nanoTime(), InputKind.KEY_UP, KEY_W, 0, 0);
            run(30);
            assertThat(history.rewind(50)).isNotNull();
            run(20);
            driver.close();
        }
        TracedMasses again = new TracedMasses(BODIES);
        history = StateHistory.ofTicks(100).every(every);
        driver = PhysicsService.builder(again)
                .replay(InputLog.open(file))
                .with(history)
                .inline(clock);
        run(115);
        assertThat(again.last()).isEqualTo(65);
        for (long from : new long[] {45, 49, 51, 62}) {
            TracedMasses other = new TracedMasses(BODIES);
            CompletableFuture<PhysicsServiceBuilder> forked = history.fork(from, () -> other);
            run(1);
            ManualClock later = new ManualClock(0);
            try (InlineDriver fork = forked.join().inline(later)) {
                later.advance(10_000_000);
                assertThat(fork.runDueTicks()).isEqualTo(1);
            }
            assertThat(other.hashes(from, from + 1)).isEqualTo(again.hashes(from, from + 1));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 12})
    void shouldBeScrubbed(int rollBack) throws Exception {
        record(3, 1, rollBack);
        List<Integer> shown = List.copyOf(new TreeSet<>(seen.keySet()));
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
                    assertThatIllegalStateException().isThrownBy(() -> scrubber.goTo(shown.get(TICKS / 2)));
                    failing.set(false);
                }
                int tick = shown.get(random.nextInt(shown.size()));
                assertThat(seen(scrubber.goTo(tick + 1), now[0])).isEqualTo(seen.get(tick));
            }
            assertThat(scrubber.divergence()).isEmpty();
        }
    }

    @Test
    void shouldBeRefusedWhereNothingCanGoBack() throws Exception {
        record(1, 1, 0);
        InputLog log = InputLog.open(file);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> log.repeat(Witness::new))
                .withMessageMatching("the run of the log went back \\d+ times, and .*Witness cannot, because it is not"
                        + " Restorable");
        StateHistory following = StateHistory.ofTicks(10);
        try (InlineDriver replay = PhysicsService.builder(new PushedMasses(BODIES))
                .replay(log)
                .with(following)
                .inline(clock)) {
            assertThat(replay.failure()).isEmpty();
            assertThat(following.canRewind()).isFalse();
            assertThatIllegalStateException()
                    .isThrownBy(() -> following.rewind(0))
                    .withMessageContaining("a run cannot go back while it follows another");
        }
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder(masses, StateHistory.ofTicks(8).rollBack(8))
                        .replay(log)
                        .inline(clock))
                .withMessageContaining("a run cannot roll back while it follows another");
    }

    /** Throws when something happens in tick 645, and can be restored in another process or not. */
    private static PushedMasses failing(boolean elsewhere) {
        return new PushedMasses(BODIES) {
            @Override
            public void step(Tick tick) {
                InputFrame input = tick.input();
                for (int i = 0; i < input.size() && tick.number() == 645; i++) {
                    if (input.event(i).code() == OVERLAP) {
                        throw new IllegalStateException("bodies overlap");
                    }
                }
                super.step(tick);
            }

            @Override
            public boolean restoresElsewhere() {
                return elsewhere;
            }
        };
    }

    /** A state is saved after tick 500, and if that is undone, after the tick to which the run went back. */
    @ParameterizedTest
    @CsvSource({"true, 0, 1", "false, 0, 1", "true, 5, 498", "false, 5, 1"})
    void shouldBeRepeatedByAFlightRecording(boolean elsewhere, int late, long firstTick) throws Exception {
        driver.close();
        driver = builder(failing(elsewhere), StateHistory.ofTicks(100).rollBack(6))
                .with(PunctualKeeper.of(FlightRecorder.in(folder, RUN).maxBytes(4 << 20)))
                .inline(clock);
        RandomPlayer player = new RandomPlayer(1, driver.input(), clock);
        for (int tick = 0; tick < 664 + late; tick++) {
            if (Math.abs(tick - 500) > 2) { // else an event of it that is late could undo the state, too
                player.play();
            }
            offerLate(tick % 3 == 0 ? late : 0);
            push(tick % BODIES);
            if (tick == 25) {
                assertThat(history.rewind(15)).isNotNull();
            }
            if (tick == 40) {
                assertThat(history.rewind(20)).isNotNull();
                push(2);
            }
            run(1);
        }
        driver.input().offer(clock.nanoTime() - late * 10_000_000L + 1, InputKind.APPLICATION, OVERLAP, 0, 0);
        clock.advance(10_000_000);
        assertThatIllegalStateException().isThrownBy(driver::runDueTicks).withMessage("bodies overlap");
        driver.close();
        InputLog log;
        try (Stream<Path> files = Files.list(folder)) {
            log = InputLog.open(files.filter(path -> path.toString().contains("flight-threw-tick-645"))
                    .findFirst()
                    .orElseThrow());
        }
        assertThat(log.firstTick()).isEqualTo(firstTick);
        assertThat(log.repeat(() -> failing(elsewhere)))
                .hasToString("repeated: tick 645 threw IllegalStateException as recorded")
                .extracting(ReplayResult::divergence)
                .isEqualTo(Optional.empty());
    }
}
