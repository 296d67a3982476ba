package dev.escapement.physics.replay.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.physics.replay.DamagedLogException;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.format.LogFormat;
import dev.escapement.physics.replay.format.LogHeader;
import dev.escapement.physics.replay.format.LogSource;
import dev.escapement.state.time.TickRate;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LogDamageTest {

    private static final RunDescription RUN = new RunDescription("spring", "1", "20", 4, TickRate.hertz(100));
    private static final int TICKS = 6;

    @TempDir
    Path folder;

    /** The size of the header's command types: a count, then for each the length of its name, the name, and its version. */
    private static final int TYPES_BYTES = 4 + 2 * (4 + 4 + 4);

    private Path file;
    private byte[] good;
    private List<String> reported;
    private int headerBytes;

    @BeforeEach
    void recordASmallLog() throws IOException {
        MemorySink sink = new MemorySink(Integer.MAX_VALUE);
        Recording recording = new Recording(sink, RUN);
        RandomTicks ticks = new RandomTicks(5).withCommands().record(recording, TICKS);
        recording.close();
        good = sink.bytes();
        reported = ticks.reported;
        headerBytes = new LogHeader(RUN, RandomTicks.TYPES).encode().remaining();
        file = folder.resolve("run.esclog");
    }

    @Test
    void shouldEndWithTheLastWholeTickWhereverCut() throws IOException {
        int cuts = 0;
        for (int length = 0; length < good.length; length++) {
            MemorySource cut = new MemorySource(Arrays.copyOf(good, length));
            if (length < headerBytes) {
                assertThatExceptionOfType(DamagedLogException.class)
                        .isThrownBy(() -> InputLog.read(cut))
                        .withMessageContaining("memory at byte ");
            } else {
                InputLog log = InputLog.read(cut);
                assertThat(log.isComplete()).as("cut at %s", length).isFalse();
                assertThat(RandomTicks.report(log)).isEqualTo(reported.subList(0, (int) log.ticks()));
                assertThat(log.ticks()).isEqualTo(wholeTicks(length));
                cuts++;
            }
        }
        assertThat(cuts).isEqualTo(good.length - headerBytes).isGreaterThan(TICKS * 50);
    }

    /** Returns the number of whole ticks in the first {@code length} bytes, by the lengths of records alone. */
    private long wholeTicks(int length) {
        int ticks = 0;
        while (ticks < TICKS && afterTick(ticks + 1) <= length) {
            ticks++;
        }
        return ticks;
    }

    @Test
    void shouldRefuseEverySingleBitThatFlipped() throws IOException {
        for (int bit = 0; bit < 8 * good.length; bit++) {
            byte[] bad = good.clone();
            bad[bit / 8] ^= (byte) (1 << bit % 8);
            int at = bit / 8;
            assertThatExceptionOfType(DamagedLogException.class)
                    .as("bit %s", bit)
                    .isThrownBy(() -> InputLog.read(new MemorySource(bad)))
                    .satisfies(damage -> assertThat(damage.offset()).isBetween(0L, (long) at));
        }
    }

    @Test
    void shouldSayWhichRecordIsDamaged() throws IOException {
        byte[] bad = good.clone();
        int second = afterTick(1);
        bad[second + 12] ^= 1;
        assertRefused(
                bad,
                second,
                "at byte " + second + ": the file is damaged after tick 1: the checksum of the record of "
                        + intAt(second) + " bytes");
    }

    @Test
    void shouldRefuseAFileThatIsNoLog() throws IOException {
        assertRefused(new byte[0], 0, "the file is empty");
        assertRefused("once upon a time there was".getBytes(StandardCharsets.UTF_8), 0, "this is no log of input");
    }

    @Test
    void shouldRefuseAnotherVersion() throws IOException {
        byte[] other = good.clone();
        for (byte version : new byte[] {0, 1, 5, 7}) {
            other[8] = version;
            assertRefused(
                    other,
                    8,
                    "the format's version is " + version + ", but this Escapement reads only 6; read it with the"
                            + " Escapement that wrote it");
        }
    }

    @Test
    void shouldRefuseATickRateThatCannotBe() throws IOException {
        byte[] other = good.clone();
        int processorBytes = Integer.BYTES + System.getProperty("os.arch").length();
        int rateAt = headerBytes - 4 - processorBytes - TYPES_BYTES - 1 - 16;
        Arrays.fill(other, rateAt, rateAt + 8, (byte) 0);
        putInt(other, headerBytes - 4, LogFormat.checksum(ByteBuffer.wrap(other), 0, headerBytes - 4));
        assertRefused(other, 0, "a rate must be positive, but is 0");
    }

    @Test
    void shouldRefuseWhatFollowsTheEnd() throws IOException {
        assertRefused(Arrays.copyOf(good, good.length + 3), good.length, "3 bytes follow the end of the log");
    }

    @Test
    void shouldRefuseALostTick() throws IOException {
        int second = afterTick(1);
        int third = afterTick(2);
        byte[] lost = new byte[good.length - (third - second)];
        System.arraycopy(good, 0, lost, 0, second);
        System.arraycopy(good, third, lost, second, good.length - third);
        assertRefused(lost, tickAt(3) - (third - second), "tick 3 cannot follow tick 1");
    }

    private int tickAt(int tick) {
        int at = headerBytes;
        while (LogFormat.getNumber(ByteBuffer.wrap(good).position(at + 12)) != tick) {
            at += 12 + intAt(at);
        }
        return at;
    }

    private int afterTick(int tick) {
        return tickAt(tick) + 12 + intAt(tickAt(tick));
    }

    @Test
    void shouldRefuseARecordThatNoTickNeeds() throws IOException {
        byte[] huge = Arrays.copyOf(good, headerBytes + 12);
        putRecordLength(huge, (1 << 26) + 1);
        assertRefused(huge, headerBytes, "a record cannot have 67108865 bytes");
        putRecordLength(huge, -1);
        assertRefused(huge, headerBytes, "a record cannot have -1 bytes");
    }

    @Test
    void shouldRefuseAHeaderThatIsTooLong() throws IOException {
        byte[] huge = good.clone();
        putInt(huge, 12, Integer.MAX_VALUE);
        assertRefused(huge, 12, "the header cannot have 2147483647 bytes");
    }

    @Test
    void shouldNotSeeWhatIsAppendedToAnOpenLog() throws IOException {
        Files.write(file, Arrays.copyOf(good, afterTick(1)));
        InputLog log = InputLog.open(file);
        Files.write(file, good);
        assertThat(RandomTicks.report(log)).isEqualTo(reported.subList(0, 1));
    }

    /** A log of the good one's size, with other content. */
    private record Changed(long size, InputStream open) implements LogSource {}

    @Test
    void shouldReportAFileThatIsCutWhileRead() {
        LogSource cut = new Changed(good.length, new ByteArrayInputStream(good, 0, good.length - 1));
        assertThatExceptionOfType(DamagedLogException.class)
                .isThrownBy(() -> InputLog.read(cut))
                .withMessageEndingWith(" at byte 0: the file was cut while it was read");
    }

    @Test
    void shouldCloseAFileWhoseReadingFailsUnexpectedly() {
        boolean[] closed = {false};
        InputStream failing = new ByteArrayInputStream(good) {
            @Override
            public int readNBytes(byte[] target, int offset, int length) {
                throw new IllegalStateException("no such volume");
            }

            @Override
            public void close() {
                closed[0] = true;
            }
        };
        assertThatIllegalStateException()
                .isThrownBy(() -> InputLog.read(new Changed(good.length, failing)))
                .withMessageContaining("no such volume");
        assertThat(closed[0]).isTrue();
    }

    private void assertRefused(byte[] bytes, long offset, String why) throws IOException {
        Files.write(file, bytes);
        assertThatExceptionOfType(DamagedLogException.class)
                .isThrownBy(() -> InputLog.open(file))
                .withMessageStartingWith(file + " at byte ")
                .withMessageContaining(why)
                .satisfies(damage -> assertThat(damage.offset()).isEqualTo(offset));
    }

    private int intAt(int at) {
        return ByteBuffer.wrap(good).order(ByteOrder.LITTLE_ENDIAN).getInt(at);
    }

    private void putRecordLength(byte[] bytes, int length) {
        putInt(bytes, headerBytes, length);
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        putInt(bytes, headerBytes + 4, LogFormat.checksum(buffer, headerBytes, headerBytes + 4));
    }

    private static void putInt(byte[] bytes, int at, int value) {
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).putInt(at, value);
    }
}
