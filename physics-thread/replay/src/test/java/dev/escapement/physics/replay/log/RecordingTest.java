package dev.escapement.physics.replay.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.replay.RecordingFailure;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.format.LogHeader;
import dev.escapement.physics.replay.format.LogReader;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class RecordingTest {

    private static final RunDescription RUN = new RunDescription("spring", "1", "20", 4, TickRate.hertz(100));

    @TempDir
    Path folder;

    private final RecordedInput input = new RecordedInput();

    RecordingTest() {
        input.begin(1);
    }

    @Test
    void shouldReadWhatWasRecorded() throws Exception {
        RunDescription run = new RunDescription("Motor", "1.2", "Szene \u00e4\u20ac", -4, new TickRate(60_000, 1001));
        Path file = folder.resolve("run.esclog");
        RandomTicks ticks = new RandomTicks(2).withCommands().withRewinds();
        Recording recording = Recording.create(file, run);
        ticks.record(recording, 500);
        recording.close();
        assertThat(recording.failure()).isEmpty();
        InputLog log = InputLog.open(file);
        assertThat(log.run()).isEqualTo(run);
        assertThat(log.ticks()).isEqualTo(500);
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
            ticks.record(recording, 400);
        }
        assertThat(Files.size(file)).as("more than is read ahead").isGreaterThan(1 << 16);
        Thread.currentThread().interrupt();
        try {
            assertThat(RandomTicks.report(InputLog.open(file))).isEqualTo(ticks.reported);
        } finally {
            assertThat(Thread.interrupted()).as("still pending").isTrue();
        }
    }

    @Test
    void shouldReadTicksLargerThanItsBuffer() throws Exception {
        Path file = folder.resolve("large.esclog");
        CommandName type = new CommandName("paint", 1);
        byte[] large = new byte[200_000];
        large[large.length - 1] = 7;
        try (Recording recording = Recording.create(file, RUN)) {
            recording.begin(List.of(type), "");
            for (int tick = 1; tick <= 3; tick++) {
                List<CommandData> commands = List.of(new CommandData(type, large));
                recording.tick(Tick.of(RUN.rate(), tick, 0, 0, input.frame(), false), commands, "", tick);
            }
        }
        try (LogReader reader = InputLog.open(file).reader()) {
            for (int tick = 1; tick <= 3; tick++) {
                assertThat(reader.next()).isTrue();
                assertThat(reader.tick().commands.get(0).bytes()).isEqualTo(large);
            }
            assertThat(reader.next()).isFalse();
        }
    }

    @Test
    void shouldLeaveALogUpToTheFullDisk() throws Exception {
        RandomTicks whole = new RandomTicks(3);
        MemorySink endless = new MemorySink(Integer.MAX_VALUE);
        Recording toTheEnd = new Recording(endless, RUN);
        whole.record(toTheEnd, 300);
        toTheEnd.close();
        int headerBytes = new LogHeader(RUN, RandomTicks.TYPES).encode().remaining();
        for (int room = 0; room < endless.bytes().length; room += 1777) {
            MemorySink sink = new MemorySink(room);
            Recording recording = new Recording(sink, RUN);
            new RandomTicks(3).record(recording, 300); // the run continues without the disk
            recording.close();
            assertThat(recording.failure()).isPresent();
            RecordingFailure failure = recording.failure().get();
            assertThat(failure.cause()).hasMessage("no space left on device");
            assertThat(failure.tick()).isBetween(1L, 300L);
            Path file = folder.resolve("full" + room);
            Files.write(file, sink.bytes());
            if (sink.bytes().length >= headerBytes) {
                InputLog log = InputLog.open(file);
                assertThat(log.isComplete()).isFalse();
                assertThat(RandomTicks.report(log)).isEqualTo(whole.reported.subList(0, (int) log.ticks()));
                assertThat(log.ticks()).isGreaterThanOrEqualTo(failure.tick() - 1);
            }
        }
    }

    @Test
    void shouldEndWhereTheRingIsFullAndNeverWait() throws Exception {
        MemorySink sink = new MemorySink(Integer.MAX_VALUE, new CountDownLatch(1));
        Recording recording = new Recording(sink, RUN);
        recording.begin(List.of(), "");
        for (int tick = 1; tick <= Recording.RING_TICKS; tick++) {
            tick(recording, tick);
            assertThat(recording.failure()).isEmpty();
        }
        tick(recording, Recording.RING_TICKS + 1);
        RecordingFailure failure = recording.failure().orElseThrow();
        assertThat(failure.tick()).isEqualTo(Recording.RING_TICKS + 1);
        assertThat(failure)
                .hasToString("recording ended before tick 257: all 256 ticks wait for the disk, which is too slow");
        recording.awaitRoom(); // returns without room, because the recording has ended
        sink.ready.countDown();
        tick(recording, Recording.RING_TICKS + 2); // these ticks have no effect
        recording.close();
        Path file = Files.write(folder.resolve("slow"), sink.bytes());
        assertThat(InputLog.open(file).ticks()).isEqualTo(Recording.RING_TICKS);
        assertThat(InputLog.open(file).isComplete()).isFalse();
    }

    /** The failure names the simulation tick, as a flight recorder's failure does, and not the position in the log. */
    @Test
    void shouldNameTheSimulationTickAtWhichItEnded() {
        MemorySink sink = new MemorySink(Integer.MAX_VALUE, new CountDownLatch(1));
        Recording recording = new Recording(sink, RUN);
        recording.begin(List.of(), "");
        for (int tick = 1; tick <= Recording.RING_TICKS; tick++) {
            tick(recording, tick);
        }
        recording.sought(10, false);
        tick(recording, 11);
        assertThat(recording.failure().orElseThrow().tick()).isEqualTo(11);
        sink.ready.countDown();
        recording.close();
    }

    @Test
    void shouldNotWaitForeverForADiskThatHangs() {
        MemorySink sink = new MemorySink(Integer.MAX_VALUE, new CountDownLatch(1));
        Recording recording = new Recording(sink, RUN);
        recording.closeNanos = 1_000_000;
        recording.begin(List.of(), "");
        tick(recording, 1);
        recording.close();
        assertThat(recording.failure().orElseThrow())
                .hasToString("recording ended before tick 1: the disk has not taken the last ticks within 0.001 s");
        sink.ready.countDown();
    }

    private record Unhashed(Tick tick, List<CommandData> commands, String local) implements TickHook.Stepped {

        @Override
        public long stateHash() {
            throw new UnsupportedOperationException("nobody needs it");
        }
    }

    /** A recording that has ended asks for no hash, because computing it may take long. */
    @Test
    void shouldAskForNoHashOnceItHasEnded() {
        TickHook.Stepped unhashed = new Unhashed(tick(1), List.of(), "");
        Recording recording = new Recording(new MemorySink(Integer.MAX_VALUE), RUN);
        recording.begin(List.of(), "");
        recording.fail(1, new IOException("full"));
        recording.stepped(unhashed);
        recording.close();
        Recording closed = new Recording(new MemorySink(Integer.MAX_VALUE), RUN);
        closed.close();
        closed.stepped(unhashed);
        assertThat(closed.failure()).isEmpty();
    }

    /** Ticks come fast when a service catches up. They must wake the thread, which would else poll after an hour. */
    @Test
    void shouldTakeTicksThatComeFasterThanItLooks() throws Exception {
        MemorySink sink = new MemorySink(Integer.MAX_VALUE);
        Recording recording = new Recording(sink, RUN);
        recording.idleNanos = TimeUnit.HOURS.toNanos(1);
        recording.begin(List.of(), "");
        for (long tick = 1; tick <= 20 * Recording.RING_TICKS; tick++) {
            tick(recording, tick);
            while (recording.waitingTicks() >= Recording.RING_TICKS / 2 && !Thread.interrupted()) {
                Thread.onSpinWait();
            }
        }
        recording.close();
        assertThat(recording.failure()).isEmpty();
        assertThat(InputLog.open(Files.write(folder.resolve("bursts"), sink.bytes()))
                        .ticks())
                .isEqualTo(20 * Recording.RING_TICKS);
    }

    @Test
    void shouldNotOverwrite() throws IOException {
        Path file = Files.writeString(folder.resolve("precious"), "precious");
        assertThatExceptionOfType(FileAlreadyExistsException.class)
                .isThrownBy(() -> Recording.create(file, RUN).close())
                .withMessageEndingWith(
                        "precious: a recording never overwrites a log; delete the file, or name another");
        assertThat(file).hasContent("precious");
    }

    @Test
    void shouldBeForOneRun() throws IOException {
        Recording recording = Recording.create(folder.resolve("one"), RUN);
        recording.begin(List.of(), "");
        assertThatIllegalStateException()
                .isThrownBy(() -> recording.begin(List.of(), ""))
                .withMessageContaining("but this one of RunDescription[engine=spring")
                .withMessageEndingWith("has begun; create another");
        recording.close();
        recording.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> recording.begin(List.of(), ""))
                .withMessageContaining("was closed");
    }

    @Test
    void shouldRefuseAGapInItsTicks() throws IOException {
        try (Recording recording = Recording.create(folder.resolve("gap"), RUN)) {
            recording.begin(List.of(), "");
            assertThatIllegalStateException()
                    .isThrownBy(() -> tick(recording, 2))
                    .withMessage(
                            "a log has every tick from 1 on, but tick 2 was to be number 1; record from the start");
        }
    }

    @Test
    void shouldKeepTheFirstReasonWhyItEnded() throws IOException {
        Recording recording = Recording.create(folder.resolve("ended"), RUN);
        recording.begin(List.of(), "");
        recording.fail(3, new IOException("first"));
        recording.fail(4, new IOException("second"));
        recording.close();
        assertThat(recording.failure().orElseThrow()).hasToString("recording ended before tick 3: first");
        assertThat(InputLog.open(folder.resolve("ended")).isComplete()).isFalse();
    }

    @Test
    void shouldRefuseTextsThatAreNoNames() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RunDescription("spring", "1", "x".repeat(4097), 0, TickRate.hertz(1)))
                .withMessageStartingWith("the scene of a log may have 4096 bytes in UTF-8, but has 4097");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSayWhatFailsInTheDisk(boolean inClose) {
        OutOfMemoryError thrown = new OutOfMemoryError("of the test");
        LogSink failing = new LogSink() {
            @Override
            public void write(ByteBuffer bytes) {
                if (!inClose) {
                    throw thrown;
                }
                bytes.position(bytes.limit());
            }

            @Override
            public void close() {
                throw thrown;
            }
        };
        Recording recording = new Recording(failing, RUN);
        recording.begin(List.of(), "");
        tick(recording, 1);
        recording.close();
        assertThat(recording.failure().orElseThrow().cause()).hasRootCause(thrown);
    }

    @Test
    void shouldTakeAsManyBytesAsThePageSays() {
        double bytes = bytesATick(0);
        assertThat(bytes).isCloseTo(37, within(0.5));
        assertThat(bytesATick(1) - bytes).as("the only event").isCloseTo(20, within(0.5));
        assertThat((bytesATick(10) - bytes) / 10).as("one of ten events").isCloseTo(16, within(0.5));
    }

    /** Returns the mean bytes of 10,000 ticks at 100 Hz with as many key events each. */
    private double bytesATick(int events) {
        MemorySink sink = new MemorySink(Integer.MAX_VALUE);
        Recording recording = new Recording(sink, RUN);
        recording.begin(List.of(), "");
        for (int number = 1; number <= 10_000; number++) {
            input.begin(10_000_000);
            for (int event = 0; event < events; event++) {
                long offset = 997_001L * event;
                InputKind kind = event % 2 == 0 ? InputKind.KEY_DOWN : InputKind.KEY_UP;
                input.add(
                        0,
                        (long) events * number + event,
                        10_000_000L * number + offset,
                        kind,
                        65,
                        0,
                        0,
                        offset,
                        false);
            }
            recording.awaitRoom();
            tick(recording, number);
        }
        recording.close();
        return sink.bytes().length / 10_000.0;
    }

    private void tick(Recording recording, long number) {
        recording.tick(tick(number), List.of(), "", 7);
    }

    private Tick tick(long number) {
        return Tick.of(RUN.rate(), number, 0, 0, input.frame(), false);
    }
}
