package dev.escapement.physics.replay.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class LogFormatTest {

    private final ByteBuffer buffer = ByteBuffer.allocate(64).putLong(7).putLong(8);

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
    void shouldCutTheNameOfALocalCommand() throws IOException {
        TickEncoder encoder = new TickEncoder(List.of(), 100);
        encoder.putLocal("x".repeat(LogFormat.MAX_NAME_BYTES + 1));
        TickDecoder decoder = new TickDecoder(TickRate.hertz(100), List.of());
        ByteBuffer record = encoder.buffer().flip().position(LogFormat.RECORD_HEADER_BYTES);
        assertThat(decoder.decode(record)).isNull();
        assertThat(decoder.tick().localCommand).hasSize(LogFormat.MAX_NAME_BYTES);
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
