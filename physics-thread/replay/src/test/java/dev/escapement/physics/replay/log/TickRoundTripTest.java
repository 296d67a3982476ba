package dev.escapement.physics.replay.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.format.BodyDigests;
import dev.escapement.physics.replay.format.LogFormat;
import dev.escapement.physics.replay.format.LogReader;
import dev.escapement.physics.replay.format.LoggedTick;
import dev.escapement.physics.replay.format.TickEncoder;
import dev.escapement.physics.replay.format.WordBodies;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.time.TickRate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is read is what was recorded. */
class TickRoundTripTest {

    private static final RunDescription RUN =
            new RunDescription("Motor", "1.2", "Szene \u00e4\u20ac", -4, new TickRate(60_000, 1001));

    @TempDir
    Path folder;

    @ParameterizedTest
    @CsvSource({"1, true", "2, true", "3, true", "1, false", "2, false"})
    void shouldReadWhatWasRecorded(long seed, boolean digests) throws Exception {
        Path file = folder.resolve("run.esclog");
        RandomTicks ticks = new RandomTicks(seed, digests).withCommands();
        if (seed == 2) {
            ticks.withRewinds();
        }
        Recording recording = Recording.create(file, RUN);
        ticks.record(recording, 3000);
        recording.close();
        assertThat(recording.failure()).isEmpty();
        InputLog log = InputLog.open(file);
        assertThat(log.run()).isEqualTo(RUN);
        assertThat(log.components()).containsExactly("x", "y");
        assertThat(log.ticks()).isEqualTo(3000);
        assertThat(log.isComplete()).isTrue();
        assertThat(RandomTicks.report(log)).isEqualTo(ticks.reported);
        assertThat(RandomTicks.report(log)).as("another pass").isEqualTo(ticks.reported);
    }

    /** An interrupt of the thread that ticks does not end a replay, and stays pending for the simulation. */
    @Test
    void shouldReadThoughAnInterruptIsPending() throws Exception {
        Path file = folder.resolve("run.esclog");
        RandomTicks ticks = new RandomTicks(1).withCommands();
        try (Recording recording = Recording.create(file, RUN)) {
            ticks.record(recording, 3000);
        }
        assertThat(Files.size(file)).as("more than is read ahead").isGreaterThan(500_000);
        Thread.currentThread().interrupt();
        try {
            assertThat(RandomTicks.report(InputLog.open(file))).isEqualTo(ticks.reported);
        } finally {
            assertThat(Thread.interrupted()).as("still pending").isTrue();
        }
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
    void shouldReadTicksLargerThanItsBuffer() throws Exception {
        Path file = folder.resolve("large.esclog");
        WordBodies bodies = new WordBodies(100_000, 1);
        Arrays.setAll(bodies.words, body -> body);
        RecordedInput input = new RecordedInput();
        input.begin(1);
        try (Recording recording = Recording.create(file, RUN).withDigests()) {
            recording.begin(bodies.stateComponents(), List.of());
            for (int tick = 1; tick <= 3; tick++) {
                recording.tick(Tick.of(RUN.rate(), tick, 0, 0, input.frame(), false), List.of(), false, tick, bodies);
            }
        }
        assertThat(Files.size(file)).isBetween(200_000L, 201_000L); // bodies that rest cost nothing
        try (LogReader reader = InputLog.open(file).reader()) {
            for (int tick = 1; tick <= 3; tick++) {
                assertThat(reader.next()).isTrue();
                assertThat(reader.tick().digests.bodies()).isEqualTo(100_000);
                assertThat(reader.tick().digests.get(99_999, 0)).isEqualTo(BodyDigests.digest(99_999));
            }
            assertThat(reader.next()).isFalse();
        }
    }

    /** However many of them have moved: 1,000 bodies are 16 groups. */
    @ParameterizedTest
    @CsvSource({"0, 0", "1, 5", "12, 60", "13, 64", "15, 64", "16, 64"})
    void shouldTakeAtMost64BytesFor1000BodiesATick(int movedGroups, int bytes) throws Exception {
        WordBodies bodies = new WordBodies(1000, 1);
        LoggedTick tick = new LoggedTick(new BodyDigests(1, false));
        tick.input.begin(1);
        TickEncoder encoder = new TickEncoder(tick.digests, List.of(), 0);
        tick.digests.read(bodies, 1000);
        encoder.put(tick);
        for (int group = 0; group < movedGroups; group++) {
            bodies.words[64 * group + 5]++;
        }
        tick.digests.read(bodies, 1000);
        int before = encoder.buffer().position();
        encoder.put(tick);
        // Its header, number, length, budget, state's hash, flags, no events and levels; how many bodies and hashes
        // there are.
        int others = LogFormat.RECORD_HEADER_BYTES + 2 + 2 * Long.BYTES + 1 + 1 + 1 + 3;
        assertThat(encoder.buffer().position() - before - others).isEqualTo(bytes);
    }
}
