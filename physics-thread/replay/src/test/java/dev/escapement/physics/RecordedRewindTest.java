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
import dev.escapement.physics.replay.log.Scrubber;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Recordings of runs that go back. A replay goes back at the same positions. */
class RecordedRewindTest extends RewindFixture {

    private static final RunDescription RUN = new RunDescription("masses", "1", "", 0, RATE);

    @TempDir
    Path folder;

    /** The hash after each position of the log, which also has the undone ticks. */
    private final List<Long> hashes = new ArrayList<>();

    private Path file() {
        return folder.resolve("run.esclog");
    }

    private void play(PushedMasses of, int ticks) {
        for (int i = 0; i < ticks; i++) {
            push(i % BODIES);
            run(1);
            hashes.add(of.hash());
        }
    }

    /** Records a run with two rewinds. Positions 31 to 50 are ticks 11 to 30 again, and 51 to 60 are ticks 26 to 35. */
    private void record() throws Exception {
        driver.close();
        try (Recording recording = Recording.create(file(), RUN)) {
            driver = builder(masses, StateHistory.ofTicks(60)).with(recording).inline(clock);
            play(masses, 30);
            assertThat(history.rewind(10)).isNotNull();
            play(masses, 20);
            assertThat(history.rewind(25)).isNotNull();
            play(masses, 10);
            driver.close();
        }
    }

    @Test
    void shouldNameTheLastSimulationTickOfACutLog() throws Exception {
        record();
        byte[] whole = Files.readAllBytes(file());
        Files.write(file(), Arrays.copyOf(whole, whole.length - 1));
        assertThat(InputLog.open(file()).lastPosition()).isEqualTo(60);
        assertThat(InputLog.open(file()).repeat(() -> new PushedMasses(BODIES)).text())
                .startsWith("ran to tick 35, where the log is cut off");
    }

    @Test
    void shouldBeScrubbed() throws Exception {
        record();
        PushedMasses[] now = new PushedMasses[1];
        SplittableRandom random = new SplittableRandom(5);
        try (Scrubber scrubber =
                new Scrubber(InputLog.open(file()), () -> now[0] = new PushedMasses(BODIES), PoseLayout.PLAIN)) {
            for (int i = 0; i < 60; i++) {
                long position = random.nextLong(1, 61);
                Snapshot shown = scrubber.goTo(position);
                assertThat(shown.tick()).isEqualTo(position);
                assertThat(now[0].hash()).as("position %d", position).isEqualTo(hashes.get((int) position - 1));
            }
            assertThat(scrubber.divergence()).isEmpty();
        }
    }

    /** The commands of ticks 6 and 16 push nothing, so that a fork without these commands has the same states. */
    @ParameterizedTest
    @ValueSource(longs = {5, 15})
    void shouldBeForkedOnBothSidesOfAReturn(long from) throws Exception {
        record();
        TracedMasses again = new TracedMasses(BODIES);
        history = StateHistory.ofTicks(100);
        start(PhysicsService.builder(again).replay(InputLog.open(file())).with(history));
        run(40);
        assertThat(again.last()).isEqualTo(20);
        TracedMasses other = new TracedMasses(BODIES);
        CompletableFuture<PhysicsServiceBuilder> forked = history.fork(from, () -> other);
        run(1);
        try (InlineDriver fork = forked.join().inline(clock)) {
            run(fork, 1);
        }
        assertThat(other.hashes(from, from + 1)).isEqualTo(again.hashes(from, from + 1));
    }

    @Test
    void shouldBeRefusedWhereNothingCanGoBack() throws Exception {
        record();
        InputLog log = InputLog.open(file());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> log.repeat(Witness::new))
                .withMessageMatching(
                        "the run of the log went back 2 times, and .*Witness cannot, because it is not Restorable");
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

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldBeRepeatedByAFlightRecording(boolean elsewhere) throws Exception {
        PushedMasses played = new PushedMasses(BODIES) {
            @Override
            public boolean restoresElsewhere() {
                return elsewhere;
            }
        };
        FlightRecorder recorder = FlightRecorder.in(folder, RUN).maxBytes(1 << 20);
        start(builder(played, StateHistory.ofTicks(100)).with(PunctualKeeper.of(recorder)));
        play(played, 20);
        assertThat(history.rewind(10)).isNotNull();
        play(played, 10);
        recorder.save(file());
        assertThat(InputLog.open(file()).lastPosition()).isEqualTo(30);
        assertThat(InputLog.open(file()).repeat(() -> new PushedMasses(BODIES)))
                .hasToString("ran through: the file was asked for, and has no failure");
    }
}
