package dev.escapement.physics.replay.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.escapement.physics.restore.StateBuffer;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class LogFormatTest {

    private final ByteBuffer buffer = ByteBuffer.allocate(64).putLong(7).putLong(8);

    /** Called twice for each record, on the physics thread, also before a compiler can leave out what is allocated. */
    @Test
    void shouldAllocateNothingForAChecksum() {
        com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
        CRC32C checksum = new CRC32C();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 10; i++) { // the JVM links a call in the first of them
            long before = threads.getCurrentThreadAllocatedBytes();
            LogFormat.checksum(checksum, buffer, 0, 8);
            least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - before);
        }
        assertThat(least).isZero();
    }

    @Test
    void shouldNotCallASavedStateATick() {
        TickEncoder encoder = new TickEncoder(List.of(), 100);
        StateBuffer state = StateBuffer.unsealed(new byte[LogFormat.MAX_RECORD_BYTES]);
        assertThatIOException()
                .isThrownBy(() -> encoder.putState(7, 1, true, state))
                .withMessageStartingWith("a record would have 6710")
                .withMessageEndingWith(" bytes, but a log has room for 67108864 in each");
    }

    @Test
    void shouldLeaveTheBufferAsItWas() {
        CRC32C checksum = new CRC32C();
        int first = LogFormat.checksum(checksum, buffer, 0, 8);
        assertThat(LogFormat.checksum(checksum, buffer, 8, 16)).isNotEqualTo(first);
        assertThat(LogFormat.checksum(buffer, 0, 8)).isEqualTo(first);
        assertThat(buffer.position()).isEqualTo(16);
        assertThat(buffer.limit()).isEqualTo(64);
    }
}
