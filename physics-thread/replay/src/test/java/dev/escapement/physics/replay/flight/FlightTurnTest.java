package dev.escapement.physics.replay.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.escapement.physics.PushedMasses;
import dev.escapement.physics.replay.format.LogHeader;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.RecordedInput;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The physics thread takes the file that the keeper has prepared, or stays in the current one. The test is the keeper. */
class FlightTurnTest {

    private static final int FILE_BYTES = 1 << 12;
    private static final int STATE_TICKS = 20;

    @TempDir
    Path folder;

    private final PushedMasses masses = new PushedMasses(3);
    private final RecordedInput input = new RecordedInput();
    private final List<Path> opened = new ArrayList<>();
    private final List<Runnable> keeper = new ArrayList<>();
    private FlightRing ring;
    private FlightWriter writer;
    private long tick;

    @BeforeEach
    void begin() throws IOException {
        input.begin(FailingMasses.RUN.rate().nanosAt(1));
        ring = FlightRing.lock(folder);
        ring.opener = file -> {
            opened.add(file);
            return new FileOutputStream(file.toFile());
        };
        ring.create(FILE_BYTES);
        LogHeader header = LogHeader.ofFlight(FailingMasses.RUN, masses, "");
        writer = new FlightWriter(ring, header, masses, STATE_TICKS, keeper::add);
        runTo(1);
        runKeeper();
    }

    @AfterEach
    void end() throws IOException {
        ring.end(false);
        assertThat(FailingMasses.files(folder, "ring-")).isEmpty();
    }

    private void runTo(long last) throws IOException {
        while (tick < last) {
            tick++;
            writer.begin(Tick.of(FailingMasses.RUN.rate(), tick, 0, 0, input.frame(), false));
            writer.end(tick);
        }
    }

    private void runKeeper() {
        keeper.forEach(Runnable::run);
        keeper.clear();
    }

    /** The saved states with which the files start. */
    private List<Long> starts() throws IOException {
        List<Long> starts = new ArrayList<>();
        ring.copy(
                ring.files(),
                parts -> parts.forEach(part -> starts.add(part.start().tick())));
        return starts;
    }

    @Test
    void shouldTakeThePreparedFile() throws IOException {
        assertThat(opened).as("the keeper has opened the second one").hasSize(2);
        runTo(STATE_TICKS);
        assertThat(opened).as("the turn opens none").hasSize(2);
        assertThat(ring.files()).containsExactlyElementsOf(opened);
        assertThat(starts()).containsExactly(0L, 20L);
    }

    @Test
    void shouldStayInItsFileUntilTheNextIsPrepared() throws IOException {
        runTo(STATE_TICKS);
        while (ring.room() > -FILE_BYTES) {
            runTo(tick + 1);
        }
        long late = tick;
        assertThat(opened).hasSize(2);
        runKeeper();
        assertThat(opened).hasSize(3);
        runTo(late + 5);
        assertThat(starts()).containsExactly(0L, 20L, late);
        ring.copy(ring.files(), parts -> assertThat(FlightPart.endOf(parts)).isEqualTo(tick));
    }

    @Test
    void shouldEndIfNoneIsPreparedWhereTheWholeRingWouldBeFull() {
        assertThatIOException()
                .isThrownBy(() -> runTo(10_000))
                .withMessageContaining("has no room for a record")
                .withMessageContaining("give it more with maxBytes(...)");
        assertThat(ring.room())
                .isBetween(-FlightRing.FILES * (long) FILE_BYTES, -FlightRing.FILES * (long) FILE_BYTES + 400);
        assertThat(opened).hasSize(2);
    }

    /** It cannot stay, because its file starts later. */
    @Test
    void shouldCreateAFileForASeekItself() throws IOException {
        runTo(STATE_TICKS + 5);
        writer.sought(10);
        tick = 10;
        assertThat(opened).hasSize(3);
        runKeeper();
        assertThat(opened).as("prepared once").hasSize(4);
        runTo(2 * STATE_TICKS);
        assertThat(starts()).containsExactly(10L, 30L);
    }

    @Test
    void shouldEndWithTheReasonWhyNoneCouldBePrepared() throws IOException {
        runTo(STATE_TICKS);
        ring.opener = file -> {
            throw new IOException("No space left on device");
        };
        runKeeper();
        runTo(2 * STATE_TICKS - 1);
        assertThatIOException()
                .isThrownBy(() -> runTo(2 * STATE_TICKS))
                .withMessage("its next file cannot be created: No space left on device");
        ring.copy(ring.files(), parts -> assertThat(FlightPart.endOf(parts)).isEqualTo(2 * STATE_TICKS));
    }
}
