package dev.escapement.physics.replay.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.physics.replay.DamagedLogException;
import dev.escapement.physics.replay.flight.FailingMasses.Game;
import dev.escapement.physics.replay.flight.FailingMasses.Way;
import dev.escapement.physics.replay.format.LogFormat;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.MemorySource;
import dev.escapement.physics.replay.log.ReplayResult;
import dev.escapement.physics.replay.log.ReplayResult.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Truncated files of a flight recorder. */
class CutFileTest {

    private static final int LAST = 8;

    @TempDir
    Path folder;

    private byte[] whole = {};

    @BeforeEach
    void fail() throws IOException {
        FlightRecorder recorder = FlightRecorder.in(folder, FailingMasses.RUN).maxBytes(1 << 20);
        try (Game game = Game.of(Way.STEP, recorder, LAST)) {
            assertThatIllegalStateException().isThrownBy(() -> game.play(LAST));
        }
        whole = Files.readAllBytes(FailingMasses.files(folder, "flight-").get(0));
    }

    /** The replay of a truncated file reports the cut, wherever that is, and never that the run went through. */
    @Test
    void shouldSayWhereverItIsCutThatItIs() throws IOException {
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
    void shouldRepeatTheFailureOfAFileWithoutItsEnd() throws IOException {
        InputLog cut = MemorySource.log(Arrays.copyOf(whole, whole.length - LogFormat.RECORD_HEADER_BYTES));
        assertThat(cut.repeat(() -> new FailingMasses(Way.STEP)).outcome()).isEqualTo(Outcome.REPEATED);
    }
}
