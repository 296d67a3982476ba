package dev.escapement.physics.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.Tick;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.time.TickRate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read is what was recorded. */
class TickRoundTripTest {

    private static final RunDescription RUN =
            new RunDescription("Motor", "1.2", "Szene \u00e4\u20ac", -4, new TickRate(60_000, 1001));

    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldReadWhatWasRecorded(long seed) throws Exception {
        Path file = folder.resolve("run.esclog");
        RandomTicks ticks = new RandomTicks(seed);
        Recording recording = Recording.create(file, RUN);
        ticks.record(recording, 3000);
        recording.close();
        assertThat(recording.failure()).isEmpty();
        InputLog log = InputLog.open(file);
        assertThat(log.run()).isEqualTo(RUN);
        assertThat(log.components()).containsExactly("x", "y");
        assertThat(log.ticks()).isEqualTo(3000);
        assertThat(log.isComplete()).isTrue();
        assertThat(RandomTicks.tell(log)).isEqualTo(ticks.told);
        assertThat(RandomTicks.tell(log)).as("another pass").isEqualTo(ticks.told);
    }

    @Test
    void shouldWriteTheSameBytesOfTheSameRun() throws Exception {
        Path one = folder.resolve("one");
        Path other = folder.resolve("other");
        for (Path file : List.of(one, other)) {
            try (Recording recording = Recording.create(file, RUN)) {
                new RandomTicks(7).record(recording, 500);
            }
        }
        assertThat(one).hasSameBinaryContentAs(other);
    }

    @Test
    void shouldMakeALogOfARunWithoutTicks() throws Exception {
        Path file = folder.resolve("empty.esclog");
        Recording.create(file, RUN).close();
        InputLog log = InputLog.open(file);
        assertThat(log.ticks()).isZero();
        assertThat(log.isComplete()).isTrue();
        assertThat(RandomTicks.tell(log)).isEmpty();
    }

    @Test
    void shouldReadTicksLargerThanItsBuffer() throws Exception {
        Path file = folder.resolve("large.esclog");
        ManyBodies bodies = new ManyBodies(100_000);
        RecordedInput input = new RecordedInput();
        input.begin(1);
        try (Recording recording = Recording.create(file, RUN)) {
            recording.begin(bodies.stateComponents());
            for (int tick = 1; tick <= 3; tick++) {
                recording.tick(new Tick(RUN.rate(), tick, 0, 0, input.frame(), false), false, tick, bodies);
            }
        }
        assertThat(Files.size(file)).isBetween(600_000L, 700_000L); // bodies that rest cost nothing
        try (LogReader reader = InputLog.open(file).reader()) {
            for (int tick = 1; tick <= 3; tick++) {
                assertThat(reader.next()).isTrue();
                assertThat(reader.tick().digests.bodies()).isEqualTo(100_000);
                assertThat(reader.tick().digests.get(99_999, 0)).isEqualTo(BodyDigests.digest(99_999));
            }
            assertThat(reader.next()).isFalse();
        }
    }

    private record ManyBodies(int bodyCount) implements BodyStates {

        @Override
        public List<String> stateComponents() {
            return List.of("x");
        }

        @Override
        public void readState(int body, long[] bits, int at) {
            bits[at] = body;
        }
    }
}
