package dev.escapement.physics.replay.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is written is in the file, of any length: also where it ends in the last bytes of a chunk. What it is marked with goes last. */
class FlightRingTest {

    private static final int CHUNK_BYTES = 1 << 13;
    private static final int FILE_BYTES = 1 << 16;

    @TempDir
    Path folder;

    private int turns;

    @Test
    void shouldWriteRecordsOfAnyLength() throws IOException {
        FlightRing ring = FlightRing.lock(folder);
        ring.create(FILE_BYTES, file -> new RandomAccessFile(file.toFile(), "rw"));
        ByteBuffer header = bytes(40);
        for (int chunks = 0; chunks < 3; chunks++) {
            for (int length = CHUNK_BYTES - 20; length < CHUNK_BYTES + 20; length++) {
                ByteBuffer state = bytes(chunks * CHUNK_BYTES + length);
                ring.turn(header.clear(), state);
                ByteBuffer record = bytes(length);
                ring.append(record.putInt(0, length));
                byte[] file = Files.readAllBytes(folder.resolve("ring-" + turns++ % FlightRing.FILES));
                int end = header.capacity() + state.capacity() + record.capacity();
                assertThat(Arrays.copyOf(file, end))
                        .as("a state of %d bytes and a record of %d", state.capacity(), length)
                        .isEqualTo(ByteBuffer.allocate(end)
                                .put(header.clear())
                                .put(state.clear())
                                .put(record.clear())
                                .array());
                assertThat(Arrays.copyOfRange(file, end, end + 8)).containsOnly(0);
            }
        }
        ring.end(false);
    }

    /** If the process dies then, the next start must not take what is left for a run that was recorded to its end. */
    @Test
    void shouldKeepTheMarkWhileItsFileIsLeft() throws IOException {
        FlightRing ring = FlightRing.lock(folder);
        ring.mark("the disk was full");
        Path left = folder.resolve("ring-3");
        Path inTheWay = Files.createDirectories(left.resolve("full")); // so that it cannot be removed
        FlightRing.Opener opener = file -> {
            if (file.endsWith("ring-0")) {
                assertThat(left).doesNotExist();
            }
            return new RandomAccessFile(file.toFile(), "rw");
        };
        assertThatIOException().isThrownBy(() -> ring.create(FILE_BYTES, opener));
        assertThat(ring.marked()).isEqualTo("the disk was full");
        Files.delete(inTheWay);
        ring.create(FILE_BYTES, opener);
        assertThat(ring.marked()).isEmpty();
        ring.end(false);
    }

    private static ByteBuffer bytes(int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        for (int i = 0; i < length; i++) {
            bytes.put(i, (byte) (1 + i % 127));
        }
        return bytes;
    }
}
