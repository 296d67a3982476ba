package dev.escapement.physics.replay.format;

import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputLevels;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/**
 * The grammar of a log, which {@link LogHeader} and {@link TickEncoder} write. Numbers of a fixed size are little-endian. {@link
 * #putNumber} writes all others, and the sizes of texts and bytes outside the header.
 *
 * <pre>
 *   header    magic, 8 bytes | version, int | length of the content, int | content | CRC-32C of all before, int
 *   record    length of the payload, int | CRC-32C of these four bytes, int | CRC-32C of the payload, int | payload
 *   ...
 *   record    with a length of 0, and nothing after it: the recording was closed, or a flight recorder's file is whole
 *
 *   content   engine, text | its version, text | scene, text | seed, long | rate, two longs | flags, byte
 *             how many types of commands, int | each: name, text, and version, int | report, settings and processor,
 *             two texts, each if flagged
 *   report    reason, text | tick, long | thrown, place, detail, time and origin, five texts
 *   text      its bytes in UTF-8, int | each byte
 * </pre>
 *
 * <p>A payload begins with a number: 1 or more for a tick, or one of the constants below.
 *
 * <pre>
 *   back      {@link #WENT_BACK} | the simulation tick to which the run went
 *   command   {@link #COMMAND} | number of its type | how many bytes | each byte
 *   local     {@link #LOCAL_COMMAND} | its words, UTF-8; none for a command whose class is not known
 *   tick      number | length in nanoseconds | budget used, double | hash of the state, long | flags, byte
 *             how many events | each event | each level that has changed | 0, byte
 *   event     sequence | time | offset | kind, byte, negative if the event is late | code | x, float | y, float
 *             and with the flag {@link TickEncoder#SENDERS}: sender
 *   level     kind, byte | sender, or {@link InputLevels#ALL} | code | x, float
 *   state     {@link #SAVED_STATE} | tick | number of the state | whether bytes of a state follow, byte
 *             each held level | 0, byte | each byte of the state
 *   hash      {@link #HASH_AFTER} | hash of the state, long | words of what its step used that no log can repeat, UTF-8
 * </pre>
 *
 * <p>A recording writes the records of a tick in the order back, commands, local, tick; a flight recorder writes a local command where it
 * ran. A tick, with the seek and the commands before it, is one position of the log. This run had a command before its second tick, and
 * went back to tick 1 after tick 3:
 *
 * <pre>
 *   records             1    command 2    3    back 1, 2    3
 *   simulation tick     1    2            3    2            3
 *   position            1    2            3    4            5
 * </pre>
 *
 * <p>Only a flight recorder writes states and hashes: its log may start in the middle of a run. It writes commands and ticks before they
 * run, so its ticks have the flag {@link TickEncoder#BEGUN} and a hash of 0, and a record with the hash follows.
 *
 * <p>Some numbers of an event are stored as differences from an expected number. For sequence, time and sender this is the number of the
 * event before; for the offset it is the offset of the event before plus the difference of the two times.
 *
 * <p>The length of a record has a checksum of its own, so that a damaged length is not mistaken for an incomplete last record.
 */
public final class LogFormat {

    static final byte[] MAGIC = {(byte) 0x89, 'E', 'S', 'C', 'L', 'O', 'G', '\n'};

    /** The only version that this code writes and reads. A new {@link InputKind} needs a new version. */
    public static final int VERSION = 6;

    /**
     * A saved state, from which the run can continue. It repeats the input levels that are held, so that a reader of later records needs no
     * record before it.
     */
    static final long SAVED_STATE = 0;

    /** A command that has a type, with its bytes. A flight recorder writes it before it runs. */
    static final long COMMAND = -1;

    /** The hash of the state after the preceding tick. */
    static final long HASH_AFTER = -2;

    /** What no log can repeat, such as a command without a type, in words; the first since the saved state or the tick before. */
    static final long LOCAL_COMMAND = -3;

    /** A seek to a tick of the log, before the next tick. If the run re-simulated later ticks, the log has them again. */
    static final long WENT_BACK = -4;

    /** Maximum number of bytes that {@link #putNumber} writes. */
    static final int MAX_NUMBER_BYTES = 10;

    public static final int RECORD_HEADER_BYTES = 3 * Integer.BYTES;

    /** The most bytes of words; longer ones are truncated. */
    static final int MAX_NAME_BYTES = 1 << 12;

    /** The largest payload of a record; a larger length counts as damage. */
    static final int MAX_RECORD_BYTES = 1 << 26;

    /** The latest start of a log, 100 years of simulated time; a later one counts as damage. */
    static final long MAX_START_NANOS = TimeUnit.DAYS.toNanos(36_525);

    private LogFormat() {}

    /** Writes a number in 1 to 10 bytes, fewer near 0: zigzag-encoded, 7 bits a byte, the lowest first. Returns the end offset. */
    public static int putNumber(byte[] to, int at, long number) {
        int end = at;
        long rest = (number << 1) ^ (number >> 63);
        for (; (rest & ~0x7FL) != 0; rest >>>= 7) {
            to[end++] = (byte) (rest | 0x80);
        }
        to[end++] = (byte) rest;
        return end;
    }

    /** Reads a number that {@link #putNumber} wrote. Accepts any bytes; throws only if the buffer ends within the number. */
    public static long getNumber(ByteBuffer buffer) {
        long number = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = buffer.get();
            number |= (next & 0x7FL) << shift;
            if (next >= 0) {
                break;
            }
        }
        return (number >>> 1) ^ -(number & 1);
    }

    /** Returns the end record of a complete log. */
    public static ByteBuffer end() {
        ByteBuffer end = ByteBuffer.allocate(RECORD_HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);
        return end.putInt(Integer.BYTES, checksum(end, 0, Integer.BYTES));
    }

    public static int checksum(ByteBuffer buffer, int from, int to) {
        return checksum(new CRC32C(), buffer, from, to);
    }

    /** Returns the checksum of a part of a buffer. Reuses {@code checksum}, allocates nothing, and does not move the buffer's position. */
    static int checksum(CRC32C checksum, ByteBuffer buffer, int from, int to) {
        int position = buffer.position();
        int limit = buffer.limit();
        checksum.reset();
        checksum.update(buffer.limit(to).position(from));
        buffer.limit(limit).position(position);
        return (int) checksum.getValue();
    }
}
