package dev.escapement.physics.replay.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.sun.management.ThreadMXBean;
import dev.escapement.physics.Witness;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.replay.DamagedLogException;
import dev.escapement.physics.replay.FlightReport;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.format.LogFormat;
import dev.escapement.physics.replay.format.LogReader;
import dev.escapement.physics.replay.format.LoggedTick;
import dev.escapement.physics.replay.format.RightChecksums;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputState;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Fuzzes the reading of logs: any bytes are a log with valid content, or a {@link DamagedLogException} refuses them. No byte is read twice,
 * and memory is bounded. An input that hangs ends after {@code test.seconds} of the module's {@code pom.xml}.
 *
 * <p>By default this runs the seeds. Jazzer searches for new inputs, for one of these methods at a time, with
 * {@code JAZZER_FUZZ=1 mvn -pl physics-thread/fuzz -am test -Dtest=LogFuzzTest#shouldReadOrRefuseAnyBytes
 * -Dsurefire.failIfNoSpecifiedTests=false}, for the time in {@code JAZZER_MAX_DURATION}, such as {@code 10m}. It leaves its findings in
 * {@code .cache/fuzz}; add them to the seeds.
 */
class LogFuzzTest {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    @FuzzTest(maxDuration = "10s")
    void shouldReadOrRefuseAnyBytes(byte[] bytes) throws Exception {
        open(bytes);
    }

    /** Fuzzes the content behind right checksums, which random bytes hardly ever have. */
    @FuzzTest(maxDuration = "10s")
    void shouldAcceptOnlyWhatIsValid(byte[] bytes) throws Exception {
        byte[] original = RightChecksums.of(bytes);
        InputLog log = open(original);
        if (log != null) {
            requireValidTicks(log, original.length);
            replay(log);
        }
    }

    /**
     * Reads the seeds, else fuzzing would begin with files that are refused, and one of them is what a recording writes today. If this
     * fails, the format has changed: change its version, and record new seeds.
     */
    @Test
    void shouldHaveSeedsThatARecordingWrites() throws Exception {
        for (String name : List.of("no-ticks", "ticks", "went-back", "levels", "cut-off", "flight")) {
            InputLog log = Objects.requireNonNull(open(seed(name)), name);
            assertThat(log.isComplete())
                    .as(name)
                    .isEqualTo(!List.of("cut-off", "flight").contains(name));
            if (log.isComplete()) {
                assertThat(RightChecksums.of(seed(name))).as(name).isEqualTo(seed(name));
            }
        }
        MemorySink sink = new MemorySink(Integer.MAX_VALUE);
        String processor = System.setProperty("os.arch", "amd64"); // that of the seed
        try (Recording recording =
                new Recording(sink, new RunDescription("spring", "1", "20", 4, TickRate.hertz(100)))) {
            new RandomTicks(7).withCommands().withRewinds().record(recording, 8);
        } finally {
            System.setProperty("os.arch", processor);
        }
        assertThat(sink.bytes()).isEqualTo(seed("went-back"));
        assertThat(ticks(
                        "levels",
                        tick -> levels(tick.input().state())
                                + levels(tick.input().state(3))))
                .containsExactly(
                        "true 0.5 0.0 false 0.25 0.0 ",
                        "true 0.5 0.5 false 0.25 0.25 ",
                        "false 0.5 0.5 false 0.0 0.0 ");
        assertThat(ticks("flight", tick -> List.of(tick.number, tick.wentBackTo, tick.stateHash)))
                .containsExactly(List.of(71L, -1L, 99L), List.of(71L, 70L, 0L), List.of(72L, -1L, 0L));
        InputLog flight = InputLog.read(new MemorySource(seed("flight")));
        assertThat(flight.settings()).isEqualTo("steps 2");
        assertThat(flight.report())
                .contains(new FlightReport(TickHook.Fault.Reason.THREW, 72, "E", "at", "detail", "then", "here"));
    }

    private static <T> List<T> ticks(String seed, Function<LoggedTick, T> what) throws IOException {
        List<T> ticks = new ArrayList<>();
        try (LogReader reader = InputLog.read(new MemorySource(seed(seed))).reader()) {
            while (reader.next()) {
                ticks.add(what.apply(reader.tick()));
            }
        }
        return ticks;
    }

    private static String levels(InputState state) {
        return state.isButtonDown(1) + " " + state.axis(1) + " " + state.axis(2) + " ";
    }

    private static byte[] seed(String name) throws IOException {
        String file = "LogFuzzTestInputs/" + name + ".esclog";
        try (InputStream bytes = LogFuzzTest.class.getResourceAsStream(file)) {
            return Objects.requireNonNull(bytes, file).readAllBytes();
        }
    }

    /** Opens a log, which reads it to its end. Returns null if it was refused as documented. */
    private static @Nullable InputLog open(byte[] bytes) throws IOException {
        long allowedBytes = (32 << 10) + 16L * bytes.length; // a fixed part with an exception, and a part for each byte
        long allocatedBytes = Long.MAX_VALUE;
        InputLog log = null;
        // Reads up to two times: the first reading may allocate more, because it loads classes, which Jazzer
        // instruments.
        for (int reading = 0; reading < 2 && allocatedBytes > allowedBytes; reading++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            log = read(bytes);
            allocatedBytes = THREADS.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(allocatedBytes).as("allocated for %s bytes", bytes.length).isLessThanOrEqualTo(allowedBytes);
        return log;
    }

    private static @Nullable InputLog read(byte[] bytes) throws IOException {
        int shortestTickBytes = LogFormat.RECORD_HEADER_BYTES + 6 + 2 * Long.BYTES; // without an event
        MemorySource source = new MemorySource(bytes);
        try {
            InputLog log = InputLog.read(source);
            // A flight recorder's last tick may have begun without an end.
            assertThat(log.ticks()).isBetween(0L, (long) bytes.length / shortestTickBytes + 1);
            return log;
        } catch (DamagedLogException refused) {
            assertThat(refused.offset()).isBetween(0L, (long) bytes.length);
            assertThat(refused).hasMessageStartingWith("memory at byte " + refused.offset() + ": ");
            return null;
        } finally {
            assertThat(source.readBytes).as("no byte is read twice").isLessThanOrEqualTo(bytes.length);
        }
    }

    /** Checks that the ticks of an accepted log are possible in a run. */
    private static void requireValidTicks(InputLog log, int logBytes) throws IOException {
        long position = log.firstTick() - 1;
        long number = position;
        try (LogReader reader = log.reader()) {
            while (reader.next()) {
                position++;
                assertThat(reader.tick().position).isEqualTo(position);
                assertThat(reader.tick().number)
                        .isEqualTo(reader.tick().wentBackTo < 0 ? number + 1 : reader.tick().wentBackTo + 1);
                number = reader.tick().number;
                assertThat(reader.tick().budgetUsed).isFinite();
                requireValid(reader.tick().input(), logBytes);
            }
        }
        assertThat(position).isEqualTo(log.lastPosition());
    }

    private static void requireValid(InputFrame input, int logBytes) {
        assertThat(input.lengthNanos()).isPositive();
        assertThat(input.size() * (5L + 2 * Float.BYTES)).isLessThan(logBytes);
        long beforeNanos = input.size() == 0 ? 0 : input.event(0).timeNanos();
        long beforeOffsetNanos = 0;
        for (int i = 0; i < input.size(); i++) {
            InputEvent event = input.event(i);
            assertThat(event.kind().isPossible(event.sender(), event.code())).isTrue();
            assertThat(event.timeNanos() - beforeNanos).as("by time").isNotNegative();
            assertThat(event.offsetNanos()).isBetween(beforeOffsetNanos, event.isLate() ? 0 : input.lengthNanos());
            beforeNanos = event.timeNanos();
            beforeOffsetNanos = event.offsetNanos();
        }
    }

    private static void replay(InputLog log) throws Exception {
        try (LogRunner run = new LogRunner(log, new AnyWorld(log))) {
            while (run.position() < log.lastPosition()) {
                run.step();
            }
            // isBetween starts before the first tick, because this simulation saves a state that differs from the
            // log's.
            run.divergence()
                    .ifPresent(first -> assertThat(first.tick()).isBetween(log.firstTick() - 1, log.lastPosition()));
        }
    }

    /** A simulation that reads all input of a tick, and accepts any state, any settings and any commands. */
    private static final class AnyWorld extends Witness implements Restorable {

        private final CommandHandlers handlers = new CommandHandlers();
        private final String settings;

        AnyWorld(InputLog log) {
            settings = log.settings();
            log.commandTypes()
                    .forEach(name -> handlers.on(
                            CommandType.<byte[], Integer>of(
                                    name.name(),
                                    name.version(),
                                    (bytes, to) -> to.write(bytes),
                                    from -> ((InputStream) from).readAllBytes()),
                            (tick, bytes) -> bytes.length));
        }

        @Override
        public String settings() {
            return settings;
        }

        @Override
        public CommandHandlers commands() {
            return handlers;
        }

        @Override
        public void save(StateBuffer to) {}

        @Override
        public void restore(StateBuffer from) {}
    }
}
