package dev.escapement.physics.replay.flight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.replay.DamagedLogException;
import dev.escapement.physics.replay.flight.FailingMasses.Game;
import dev.escapement.physics.replay.flight.FailingMasses.Way;
import dev.escapement.physics.replay.format.LogFormat;
import dev.escapement.physics.replay.format.LogReader;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.MemorySource;
import dev.escapement.physics.replay.log.ReplayResult;
import dev.escapement.physics.replay.log.ReplayResult.Outcome;
import dev.escapement.physics.spi.TickFault;
import dev.escapement.physics.spi.TickFault.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Files of a flight recorder that were cut, or in which a byte has changed. */
@Timeout(120)
class CutFileTest {

    private static final int LAST = 8;
    private static final int END_BYTES = LogFormat.RECORD_HEADER_BYTES;

    @TempDir
    Path folder;

    /** Each prefix says that it is one; none that lacks the failure runs through. */
    @ParameterizedTest
    @EnumSource(
            value = Reason.class,
            names = {"THREW", "NOT_FINITE", "DIED"})
    void shouldSayWhereverItIsCutThatItIs(Reason reason) throws IOException {
        byte[] whole = file(reason);
        InputLog all = MemorySource.log(whole);
        assertThat(all.isComplete()).isTrue();
        assertThat(repeat(all).outcome()).isEqualTo(Outcome.RAN_THROUGH);
        int lacking = 0;
        for (int length = 1; length < whole.length; length++) {
            InputLog log;
            try {
                log = MemorySource.log(Arrays.copyOf(whole, length));
            } catch (DamagedLogException refused) {
                assertThat(refused).hasMessageEndingWith("the file ends within its header");
                continue;
            }
            assertThat(log.isComplete()).as("cut at %d", length).isFalse();
            if (!hasState(whole, length)) {
                continue; // cut in the saved state: nothing can be repeated
            }
            ReplayResult repetition = repeat(log);
            assertThat(repetition.outcome())
                    .as("cut at %d: %s", length, repetition)
                    .isEqualTo(Outcome.INCOMPLETE);
            assertThat(repetition.text()).contains("ran to tick " + log.lastPosition() + ", where the file is cut off");
            lacking++;
        }
        assertThat(lacking).isGreaterThan(100);
    }

    private static LogReader cut(byte[] file, int length) throws IOException {
        return new LogReader(new MemorySource(Arrays.copyOf(file, length)), Long.MAX_VALUE);
    }

    private static boolean hasState(byte[] file, int length) throws IOException {
        try (LogReader reader = cut(file, length)) {
            return reader.start().hasState();
        }
    }

    @Test
    void shouldRepeatAFailureThatAFileWithoutItsEndHas() throws IOException {
        byte[] whole = file(Reason.THREW);
        InputLog cut = MemorySource.log(Arrays.copyOf(whole, whole.length - END_BYTES));
        assertThat(cut.repeat(() -> new FailingMasses(Way.STEP)).outcome()).isEqualTo(Outcome.REPEATED);
    }

    private static ReplayResult repeat(InputLog log) {
        return log.repeat(() -> new FailingMasses(Way.NOT_AT_ALL));
    }

    /** A file of this reason, with ticks after it where the run goes on. */
    private byte[] file(Reason reason) throws IOException {
        FlightRecorder recorder = FlightRecorder.in(folder, FailingMasses.RUN).maxBytes(1 << 20);
        try (Game game = Game.of(reason == Reason.THREW ? Way.STEP : Way.NOT_AT_ALL, recorder, LAST)) {
            try {
                game.play(LAST);
            } catch (IllegalStateException planted) {
                // the failure
            }
            if (reason == Reason.DIED) {
                copyRing();
            } else if (reason == Reason.NOT_FINITE) {
                recorder.fault(new TickFault(Reason.NOT_FINITE, LAST - 5, null, ""));
            }
        }
        if (reason == Reason.DIED) {
            Game.of(Way.NOT_AT_ALL, FlightRecorder.in(folder.resolve("dead"), FailingMasses.RUN), 0)
                    .close();
            return Files.readAllBytes(
                    FailingMasses.files(folder.resolve("dead"), "flight-").get(0));
        }
        return Files.readAllBytes(FailingMasses.files(folder, "flight-").get(0));
    }

    /** As if the process died now. */
    private void copyRing() throws IOException {
        Files.createDirectories(folder.resolve("dead"));
        for (Path ring : FailingMasses.files(folder, "ring-")) {
            Files.copy(ring, folder.resolve("dead").resolve(ring.getFileName()));
        }
    }
}
