package dev.escapement.physics.replay.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ring files have all written bytes, for any length of a record, also at the end of a chunk. The ring removes old files. */
class FlightRingTest {

    private static final int CHUNK_BYTES = 1 << 13;
    private static final int FILE_BYTES = 1 << 16;

    @TempDir
    Path folder;

    private final List<Path> opened = new ArrayList<>();
    private final ByteBuffer header = bytes(40);

    @Test
    void shouldWriteRecordsOfAnyLength() throws IOException {
        FlightRing ring = create();
        for (int chunks = 0; chunks < 3; chunks++) {
            for (int length = CHUNK_BYTES - 2; length < CHUNK_BYTES + 2; length++) {
                ByteBuffer state = bytes(chunks * CHUNK_BYTES + length);
                ring.turn(header.clear(), state, Runnable::run);
                ByteBuffer record = bytes(length);
                ring.append(record);
                byte[] file = Files.readAllBytes(opened.get(opened.size() - 2)); // the last file is the prepared one
                assertThat(file)
                        .as("a state of %d bytes and a record of %d", state.capacity(), length)
                        .isEqualTo(ByteBuffer.allocate(header.capacity() + state.capacity() + record.capacity())
                                .put(header.clear())
                                .put(state.clear())
                                .put(record.clear())
                                .array());
                assertThat(ring.room()).isEqualTo(FILE_BYTES - file.length);
            }
        }
        assertThat(FailingMasses.files(folder, "ring-"))
                .hasSameElementsAs(opened.subList(opened.size() - 1 - FlightRing.FILES, opened.size()));
        ring.end();
    }

    @Test
    void shouldEndIfOldFilesAreNeverRemoved() throws IOException {
        FlightRing ring = create();
        for (int file = 0; file <= 2 * FlightRing.FILES; file++) {
            ring.turn(header.clear(), bytes(40), never -> {});
        }
        assertThatIOException()
                .isThrownBy(() -> ring.turn(header.clear(), bytes(40), never -> {}))
                .withMessageStartingWith("its old files cannot be removed from ");
        ring.end();
        assertThat(FailingMasses.files(folder, "ring-")).isEmpty();
    }

    private FlightRing create() throws IOException {
        FlightRing ring = FlightRing.lock(folder);
        ring.opener = file -> {
            opened.add(folder.resolve(file.getFileName()));
            return new FileOutputStream(file.toFile());
        };
        ring.create(FILE_BYTES);
        return ring;
    }

    private static ByteBuffer bytes(int length) {
        ByteBuffer bytes = ByteBuffer.allocate(length);
        for (int i = 0; i < length; i++) {
            bytes.put(i, (byte) (1 + i % 127));
        }
        return bytes;
    }
}
