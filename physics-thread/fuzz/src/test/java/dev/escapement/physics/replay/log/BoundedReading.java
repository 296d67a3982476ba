package dev.escapement.physics.replay.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import dev.escapement.physics.replay.DamagedLogException;
import dev.escapement.physics.replay.format.LogFormat;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import org.jspecify.annotations.Nullable;

/** Opens logs, which reads them to their end, and checks the allocated and read bytes. */
final class BoundedReading {

    /** The bytes that reading an empty log may allocate: objects of a fixed size, and an exception. */
    static final long FIXED_BYTES = 32 << 10;

    /** The bytes that reading may allocate for each byte of a log, in addition. */
    static final long BYTES_PER_BYTE = 16;

    /** The size of the shortest tick: its numbers and hash, without an event. */
    static final int SHORTEST_RECORD_BYTES = LogFormat.RECORD_HEADER_BYTES + 6 + 2 * Long.BYTES;

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private BoundedReading() {}

    /** Opens a log. Returns null if it was refused as documented. */
    static @Nullable InputLog open(byte[] bytes) throws IOException {
        long allowedBytes = FIXED_BYTES + BYTES_PER_BYTE * bytes.length;
        long before = THREADS.getCurrentThreadAllocatedBytes();
        InputLog log = read(bytes);
        long allocatedBytes = THREADS.getCurrentThreadAllocatedBytes() - before;
        if (allocatedBytes > allowedBytes) {
            // Reads once more: the first reading also loads classes, which Jazzer instruments on this thread.
            before = THREADS.getCurrentThreadAllocatedBytes();
            log = read(bytes);
            allocatedBytes = THREADS.getCurrentThreadAllocatedBytes() - before;
        }
        assertThat(allocatedBytes).as("allocated for %s bytes", bytes.length).isLessThanOrEqualTo(allowedBytes);
        return log;
    }

    private static @Nullable InputLog read(byte[] bytes) throws IOException {
        MemorySource source = new MemorySource(bytes);
        try {
            InputLog log = InputLog.read(source);
            // A flight recorder's last tick may have begun without an end.
            assertThat(log.ticks()).isBetween(0L, (long) bytes.length / SHORTEST_RECORD_BYTES + 1);
            return log;
        } catch (DamagedLogException refused) {
            assertThat(refused.offset()).isBetween(0L, (long) bytes.length);
            assertThat(refused).hasMessageStartingWith("memory at byte " + refused.offset() + ": ");
            return null;
        } finally {
            assertThat(source.readBytes).as("no byte is read twice").isLessThanOrEqualTo(bytes.length);
        }
    }
}
