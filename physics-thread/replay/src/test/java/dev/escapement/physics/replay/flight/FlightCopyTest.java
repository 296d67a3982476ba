package dev.escapement.physics.replay.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.escapement.physics.PushedMasses;
import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.replay.FlightReport;
import dev.escapement.physics.replay.format.LogHeader;
import dev.escapement.physics.replay.format.LogSource;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.replay.log.ReplayResult;
import dev.escapement.physics.replay.log.ReplayResult.Outcome;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickFault.Reason;
import dev.escapement.state.input.RecordedInput;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** While the ring is copied, ticks are written to it as ever: the copy stops before and after each of its reads, and ticks run there. */
@Timeout(120)
class FlightCopyTest {

    private static final int FILE_BYTES = 1 << 15;
    private static final int NOTE_BYTES = 4000;

    @TempDir
    Path folder;

    /** A large command that does nothing. */
    private static final CommandType<Integer, Integer> NOTE =
            CommandType.of("note", 1, (note, to) -> to.write(new byte[NOTE_BYTES]), from -> from.skipBytes(NOTE_BYTES));

    private final PushedMasses masses = new NotedMasses();
    private final LogHeader header = LogHeader.ofFlight(FailingMasses.RUN, masses, "here");
    private final RecordedInput input = new RecordedInput();
    private FlightRing ring;
    private FlightWriter writer;
    private long tick;

    /** How many reads have begun or ended, and what to do then. */
    private int stops;

    private Stop atStop = stop -> {};

    private static final class NotedMasses extends PushedMasses {

        NotedMasses() {
            super(4);
        }

        @Override
        public CommandHandlers commands() {
            return new CommandHandlers().on(NOTE, (tick, note) -> 0);
        }
    }

    private interface Stop {

        void at(int stop) throws IOException;
    }

    @BeforeEach
    void fillTheRing() throws IOException {
        input.begin(10_000_000);
        ring = FlightRing.lock(folder);
        ring.create(FILE_BYTES, file -> new RandomAccessFile(file.toFile(), "rw"));
        ring.reading = Stopped::new;
        writer = new FlightWriter(ring, header, masses, 500, 1, new FlightPrivacy() {});
        play(FlightRing.FILES + 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, FlightRing.FILES + 1})
    void shouldHaveEachTickWhereverACopyStops(int turns) throws IOException {
        int allStops = Integer.MAX_VALUE;
        for (int stop = 0; stop < allStops; stop++) {
            int here = stop;
            stops = 0;
            atStop = at -> {
                if (at == here) {
                    play(turns);
                }
            };
            long before = tick;
            InputLog log = copy(folder.resolve("copy-" + stop));
            assertThat(log.lastTick()).as("stopped at %d", stop).isBetween(before, tick);
            assertThat(log.repeat(NotedMasses::new)).hasToString("ran through: the failure did not repeat");
            allStops = stops;
        }
        assertThat(allStops).isGreaterThan(4 * FlightRing.FILES - 2);
    }

    @Test
    void shouldCopyTheNewestFilesOfATurningRing() throws IOException {
        atStop = at -> play(at % 2);
        InputLog log = copy(folder.resolve("copy"));
        assertThat(log.ticks()).isGreaterThan(10);
    }

    @Test
    void shouldEndACopyThatIsOverwrittenDuringEachRead() throws IOException {
        atStop = at -> play(FlightRing.FILES);
        assertThatIOException()
                .isThrownBy(() -> copy(folder.resolve("copy")))
                .withMessageContaining("files of the flight recorder's ring were overwritten while it was copied");
        assertThat(folder.resolve("copy.part")).doesNotExist();
    }

    /** Wherever the copy stops. The files of the other ring have the same names. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "open files cannot be replaced")
    void shouldNotCopyAnotherRingThatHasItsPlaceNow(boolean isReplaced) throws IOException {
        InputLog undisturbed = copy(folder.resolve("undisturbed"));
        assertThat(undisturbed.ticks()).isPositive();
        int allStops = stops;
        assertThat(allStops).isGreaterThan(4 * FlightRing.FILES - 2);
        for (int stop = 0; stop < allStops; stop++) {
            int here = stop;
            stops = 0;
            FlightRing copied = ring;
            atStop = at -> {
                if (at == here && isReplaced) {
                    replaceTheFiles();
                } else if (at == here) {
                    copied.end(false);
                    fillTheRing();
                }
            };
            Path file = folder.resolve("copy");
            assertThatIOException()
                    .as("stopped at %d", stop)
                    .isThrownBy(() -> copy(file))
                    .withMessageContaining(
                            isReplaced
                                    ? "were removed or replaced while it wrote them"
                                    : "it ended before its files were copied");
            assertThat(file).doesNotExist();
            assertThat(folder.resolve("copy.part")).doesNotExist();
            if (isReplaced) {
                copied.end(false);
                fillTheRing();
            }
        }
    }

    /** The copy stops until the ring has only later ticks. It begins with the tick after its saved state. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 1})
    void shouldSayThatAFailureWasOverwrittenBeforeTheCopy(int afterState) throws IOException {
        long before = tick;
        atStop = at -> play(at == 0 ? FlightRing.FILES + 1 : 0);
        Path file = folder.resolve("copy");
        ring.copy(parts -> FlightFiles.write(
                file,
                parts,
                new FlightReport(Reason.SLOW, parts.get(0).start().tick() + afterState, "", "", "", "", "")));
        InputLog log = InputLog.open(file);
        assertThat(log.isComplete()).isTrue();
        assertThat(log.firstTick()).isGreaterThan(before);
        ReplayResult repetition = log.repeat(NotedMasses::new);
        assertThat(repetition.outcome()).isEqualTo(afterState > 0 ? Outcome.RAN_THROUGH : Outcome.INCOMPLETE);
        assertThat(repetition)
                .hasToString(
                        afterState > 0
                                ? "ran through: the failure did not repeat"
                                : "ran to tick " + log.lastTick() + ", but from tick " + log.firstTick() + " on; tick "
                                        + (log.firstTick() - 1 + afterState)
                                        + " took too long, and was overwritten before it was copied. Give the recorder"
                                        + " more with maxBytes(...)");
    }

    /** By copies of them. */
    private void replaceTheFiles() throws IOException {
        for (Path file : FailingMasses.files(folder, "ring-")) {
            Path other = Files.copy(file, folder.resolve("other"));
            Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private InputLog copy(Path file) throws IOException {
        ring.copy(parts -> FlightFiles.write(
                file, parts, new FlightReport(Reason.SLOW, FlightPart.endOf(parts), "", "", "", "", "")));
        return InputLog.open(file);
    }

    /** Runs ticks until the ring has turned so often. After the first and the last tick of each file, the next start would find it. */
    private void play(int turns) throws IOException {
        for (int turned = 0; turned < turns; ) {
            int room = ring.room();
            tick++;
            writer.command(tick, new CommandData(header.commandTypes().get(0), new byte[NOTE_BYTES]));
            Tick next = Tick.of(FailingMasses.RUN.rate(), tick, tick * 10_000_000, 0, input.frame(), false);
            writer.begin(next);
            boolean hasTurned = ring.room() > room;
            turned += hasTurned ? 1 : 0;
            if (hasTurned || ring.room() < NOTE_BYTES) {
                assertThat(lastTick()).isEqualTo(tick);
            }
            masses.step(next);
            writer.end(tick);
        }
    }

    private long lastTick() throws IOException {
        List<FlightPart> parts = new ArrayList<>();
        for (Path file : FailingMasses.files(folder, "ring-")) {
            parts.addAll(FlightPart.of(new LogSource.File(file), () -> true));
        }
        return FlightPart.endOf(FlightPart.lastInARow(parts));
    }

    private final class Stopped implements LogSource {

        private final Path file;

        Stopped(Path file) {
            this.file = file;
        }

        @Override
        public long size() throws IOException {
            return Files.size(file);
        }

        @Override
        public InputStream open() throws IOException {
            return new FilterInputStream(Files.newInputStream(file)) {
                @Override
                public int read(byte[] bytes, int from, int length) throws IOException {
                    atStop.at(stops++);
                    int read = super.read(bytes, from, length);
                    atStop.at(stops++);
                    return read;
                }
            };
        }
    }
}
