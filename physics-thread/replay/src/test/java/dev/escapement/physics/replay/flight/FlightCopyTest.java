package dev.escapement.physics.replay.flight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.PushedMasses;
import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.replay.FlightReport;
import dev.escapement.physics.replay.format.LogHeader;
import dev.escapement.physics.replay.format.LogSource;
import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickFault.Reason;
import dev.escapement.state.input.RecordedInput;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
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
    private List<Runnable> keeper = new ArrayList<>();
    private FlightRing ring;

    /** The ring that is copied now. */
    private @Nullable FlightRing copied;

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
        keeper = new ArrayList<>();
        ring = FlightRing.lock(folder);
        ring.create(FILE_BYTES);
        ring.reading = Stopped::new;
        writer = new FlightWriter(ring, header, masses, 500, keeper::add);
        play(FlightRing.FILES + 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, FlightRing.FILES - 2})
    void shouldHaveEachTickWhereverACopyStops(int files) throws IOException {
        int allStops = Integer.MAX_VALUE;
        for (int stop = 0; stop < allStops; stop++) {
            int here = stop;
            atStop = at -> {};
            long before = tick;
            long first = copy(folder.resolve("before-" + stop)).firstTick();
            stops = 0;
            atStop = at -> {
                if (at == here) {
                    play(files);
                }
            };
            InputLog log = copy(folder.resolve("copy-" + stop));
            assertThat(log.firstTick()).as("stopped at %d", stop).isLessThanOrEqualTo(first);
            assertThat(log.lastPosition()).as("stopped at %d", stop).isBetween(before, tick);
            assertThat(log.repeat(NotedMasses::new)).hasToString("ran through: the failure did not repeat");
            allStops = stops;
        }
        assertThat(allStops).isGreaterThan(4 * FlightRing.FILES - 2);
    }

    /** The keeper does it: meanwhile it prepares and removes no file. */
    private InputLog copy(Path file) throws IOException {
        copied = ring;
        try {
            List<FlightPart> parts = ring.parts();
            FlightFiles.write(file, parts, new FlightReport(Reason.THREW, FlightPart.endOf(parts), "", "", "", "", ""));
        } finally {
            copied = null;
            runKeeper();
        }
        return InputLog.open(file);
    }

    private void runKeeper() {
        if (ring != copied) {
            keeper.forEach(Runnable::run);
            keeper.clear();
        }
    }

    /** Runs ticks that fill so many files. After the first and the last tick of each file, the next start would find it. */
    private void play(int files) throws IOException {
        for (int written = 0; written < files * FILE_BYTES; written += NOTE_BYTES) {
            long room = ring.room();
            tick++;
            writer.command(tick, new CommandData(header.commandTypes().get(0), new byte[NOTE_BYTES]));
            Tick next = Tick.of(FailingMasses.RUN.rate(), tick, tick * 10_000_000, 0, input.frame(), false);
            writer.stepping(next);
            boolean hasTurned = ring.room() > room;
            if (hasTurned || Math.abs(ring.room()) < NOTE_BYTES) {
                assertThat(lastTick()).isEqualTo(tick);
            }
            masses.step(next);
            writer.atRest(tick);
            runKeeper();
        }
    }

    private long lastTick() throws IOException {
        List<FlightPart> parts = new ArrayList<>();
        for (Path file : FailingMasses.files(folder, "ring-")) {
            parts.addAll(FlightPart.of(new LogSource.File(file)));
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
