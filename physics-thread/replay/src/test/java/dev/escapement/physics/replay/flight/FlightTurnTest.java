package dev.escapement.physics.replay.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.escapement.physics.PushedMasses;
import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.replay.FlightReport;
import dev.escapement.physics.replay.format.LogHeader;
import dev.escapement.physics.replay.format.LogReader;
import dev.escapement.physics.replay.format.LogSource;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.ReplayResult.Outcome;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook.Fault.Reason;
import dev.escapement.state.Await;
import dev.escapement.state.input.RecordedInput;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Turns of the ring, which are changes to the next file: the physics thread takes the prepared file, or stays in the current one. The test
 * plays the keeper.
 */
class FlightTurnTest {

    private static final int FILE_BYTES = 1 << 12;
    private static final int CHUNK_BYTES = 1 << 13;
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
            opened.add(folder.resolve(file.getFileName()));
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
            Tick next = Tick.of(FailingMasses.RUN.rate(), tick, 0, 0, input.frame(), false);
            writer.stepping(next);
            masses.step(next);
            writer.atRest(tick);
        }
    }

    private void runKeeper() {
        keeper.forEach(Runnable::run);
        keeper.clear();
    }

    private List<Long> starts() throws IOException {
        List<Long> starts = new ArrayList<>();
        ring.parts().forEach(part -> starts.add(part.start().tick()));
        return starts;
    }

    @Test
    void shouldTakeThePreparedFile() throws IOException {
        assertThat(opened).as("the keeper has opened the second one").hasSize(2);
        runTo(STATE_TICKS);
        assertThat(opened).as("the turn opens none").hasSize(2);
        assertThat(starts()).containsExactly(0L, 20L);
    }

    @Test
    void shouldStayInItsFileUntilTheNextIsPrepared() throws IOException {
        runTo(STATE_TICKS);
        while (ring.room() > -FILE_BYTES / 2) {
            runTo(tick + 1);
        }
        long late = tick;
        assertThat(opened).hasSize(2);
        runKeeper();
        assertThat(opened).hasSize(3);
        runTo(late + 5);
        assertThat(starts()).containsExactly(0L, 20L, late + 1);
        assertThat(FlightPart.endOf(ring.parts())).isEqualTo(tick);
        List<FlightPart> reversed = new ArrayList<>(ring.parts());
        Collections.reverse(reversed);
        assertThat(FlightPart.endOf(FlightPart.lastInARow(reversed)))
                .as("in any order")
                .isEqualTo(tick);
    }

    @Test
    void shouldGoOnWithAKeeperThatGetsNoTime() throws IOException {
        runTo(10_000);
        assertThat(FlightPart.endOf(ring.parts())).isEqualTo(10_000);
        assertThat(ring.parts()).hasSize(FlightRing.FILES);
        assertThat(keeper).as("tasks that hold open files").hasSize(1);
        assertThat(FailingMasses.files(folder, "ring-"))
                .hasSize(FlightRing.FILES)
                .allSatisfy(file -> assertThat(Files.size(file)).isLessThan(2 * FILE_BYTES + 400));
    }

    @Test
    void shouldRemoveNoFileDuringACopy() throws Exception {
        runTo(2000);
        CountDownLatch isCopying = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        FutureTask<?> copying = new FutureTask<>(() -> {
            ring.copy(parts -> {
                isCopying.countDown();
                Await.open(mayEnd);
            });
            return null;
        });
        new Thread(copying).start();
        Await.open(isCopying);
        List<Path> before = FailingMasses.files(folder, "ring-");
        runTo(6000);
        assertThat(FailingMasses.files(folder, "ring-")).containsAll(before);
        mayEnd.countDown();
        copying.get();
        runTo(8000);
        assertThat(ring.parts()).hasSize(FlightRing.FILES);
    }

    @Test
    void shouldEndWhenAPauseAloneExceedsTheRing() {
        CommandData push = new CommandData(masses.commands().types().get(0), new byte[3000]);
        assertThatIOException()
                .isThrownBy(() -> {
                    for (int command = 0; command < 100; command++) {
                        writer.command(tick + 1, push);
                    }
                })
                .withMessageContaining("has no room for a record")
                .withMessageContaining("give it more with maxBytes(...)");
        assertThat(ring.room())
                .isBetween(
                        -(FlightRing.FILES - 1) * (long) FILE_BYTES - 3400,
                        -(FlightRing.FILES - 1) * (long) FILE_BYTES);
        assertThat(opened).hasSize(2);
    }

    /** A seek to a tick before the current file creates a file itself, because the current file cannot take its records. */
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
        assertThat(FlightPart.endOf(ring.parts())).isEqualTo(2 * STATE_TICKS);
    }

    /** The state at the start of a file has no effect of a command that a rewind undid. */
    @Test
    void shouldHaveNoCommandThatAReturnHasUndone() throws IOException {
        StateBuffer before = new StateBuffer();
        runTo(10);
        masses.save(before);
        byte[] push = ByteBuffer.allocate(8).putInt(1).putFloat(1).array();
        for (int command = 0; command < 200; command++) {
            writer.command(11, new CommandData(masses.commands().types().get(0), push));
            masses.push(1, 0, 1, 0);
        }
        before.rewind();
        masses.restore(before);
        writer.sought(10);
        tick = 10;
        for (int file = 0; file <= FlightRing.FILES; file++) {
            runKeeper();
            runTo(tick + STATE_TICKS);
            Path copy = folder.resolve("copy-" + file);
            FlightFiles.write(copy, ring.parts(), new FlightReport(Reason.ASKED, tick, "", "", "", "", ""));
            assertThat(InputLog.open(copy).repeat(() -> new PushedMasses(3)).outcome())
                    .as("a copy that starts with file %d", file)
                    .isEqualTo(Outcome.RAN_THROUGH);
        }
    }

    @Test
    void shouldNoteALocalCommandAgainAfterAnUndoneOne() throws IOException {
        runTo(10);
        writer.command(11, new Object());
        writer.sought(10);
        writer.command(11, new Object());
        runTo(11);
        Path copy = folder.resolve("copy");
        FlightFiles.write(copy, ring.parts(), new FlightReport(Reason.ASKED, tick, "", "", "", "", ""));
        try (LogReader reader = new LogReader(new LogSource.File(copy), Long.MAX_VALUE)) {
            while (reader.tick().number < 11 && reader.next()) {
                assertThat(reader.tick().cause().startsWith("tick 11 "))
                        .as("tick %d", reader.tick().number)
                        .isEqualTo(reader.tick().number == 11);
            }
        }
    }

    @Test
    void shouldWriteRecordsOfAnyLength() throws IOException {
        ByteBuffer head = bytes(40);
        for (int chunks = 0; chunks < 2; chunks++) {
            for (int length = CHUNK_BYTES - 2; length < CHUNK_BYTES + 2; length++) {
                ByteBuffer state = bytes(chunks * CHUNK_BYTES + length);
                ring.turn(head.clear(), state, Runnable::run);
                ByteBuffer record = bytes(length);
                ring.append(record);
                byte[] file = Files.readAllBytes(opened.get(opened.size() - 2)); // the last file is the prepared one
                assertThat(file)
                        .as("a state of %d bytes and a record of %d", state.capacity(), length)
                        .isEqualTo(ByteBuffer.allocate(head.capacity() + state.capacity() + record.capacity())
                                .put(head.clear())
                                .put(state.clear())
                                .put(record.clear())
                                .array());
                assertThat(ring.room()).isEqualTo(FILE_BYTES - file.length);
            }
        }
        assertThat(FailingMasses.files(folder, "ring-"))
                .hasSameElementsAs(opened.subList(opened.size() - 1 - FlightRing.FILES, opened.size()));
    }

    @Test
    void shouldEndIfOldFilesAreNeverRemoved() throws IOException {
        ByteBuffer head = bytes(40);
        for (int file = 0; file < 2 * FlightRing.FILES; file++) {
            ring.turn(head.clear(), bytes(40), never -> {});
            if (file == 0) { // a folder that is not empty cannot be removed
                Files.delete(opened.get(0));
                Files.createDirectories(opened.get(0).resolve("full"));
            }
        }
        assertThatIOException()
                .isThrownBy(() -> ring.turn(head.clear(), bytes(40), never -> {}))
                .withMessageStartingWith("its old files cannot be removed from ");
        Files.delete(opened.get(0).resolve("full"));
    }

    private static ByteBuffer bytes(int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        for (int i = 0; i < length; i++) {
            bytes.put(i, (byte) (1 + i % 127));
        }
        return bytes;
    }
}
