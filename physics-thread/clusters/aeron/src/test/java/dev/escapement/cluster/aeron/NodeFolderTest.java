package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.aeron.cluster.RecordingLog;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.HeaderFlyweight;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class NodeFolderTest {

    private static final UUID WORLD = UUID.fromString("6f1c0f0a-11d2-4f6e-9a3b-0123456789ab");

    private static final int FRAME_BYTES = 96;

    @TempDir
    private Path folder;

    private void write(String part, String text) throws IOException {
        Files.createDirectories(folder.resolve(part));
        Files.writeString(folder.resolve(part).resolve("file"), text);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void aCompleteCopyReplacesTheOwnLogDespiteKills(int steps) throws IOException {
        write("log", "old");
        write(steps == 0 ? "fetched" : "complete", "new");
        if (steps >= 2) {
            IoUtil.delete(folder.resolve("log").toFile(), false);
        }
        if (steps >= 3) {
            Files.move(folder.resolve("complete"), folder.resolve("log"));
        }
        try (NodeFolder of = new NodeFolder(folder)) {
            assertThat(of.hasCopy()).isEqualTo(steps == 1 || steps == 2);
            of.replaceOwn();
            of.replaceOwn();
        }
        assertThat(folder.resolve("log/file")).hasContent(steps == 0 ? "old" : "new");
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("log", "lock");
    }

    @Test
    void aFolderIsThatOfOneNode() throws IOException {
        try (NodeFolder first = new NodeFolder(folder)) {
            assertThat(first.world()).isNull();
            assertThatIllegalStateException()
                    .isThrownBy(() -> new NodeFolder(folder))
                    .withMessageContaining("another node keeps its log in " + folder);
        }
    }

    /**
     * A recording that Aeron's recording log does not list is damage. The length of a frame of 256 bytes begins with a zero byte, so the
     * check must compare all four bytes.
     */
    @Test
    void aRecordingThatIsNotNotedIsRefused() throws IOException {
        Path archive = Files.createDirectories(folder.resolve("log/archive"));
        Files.write(archive.resolve("0-0.rec"), new byte[64]); // nothing was written yet
        assertThat(read().hasLog()).isFalse();
        Files.write(archive.resolve("0-0.rec"), new byte[] {0, 1, 0, 0, 0});
        assertThatIllegalArgumentException().isThrownBy(this::read).withMessageContaining("0-0.rec has something");
    }

    /** Aeron would skip a frame with a damaged header, and lose its inputs. */
    @ParameterizedTest
    @CsvSource({"0, 64", "2, 128", "4, 1", "5, 128", "5, 64", "6, 2", "8, 32"})
    void aFrameWithADamagedHeaderIsRefused(int at, int bit) throws IOException {
        noteTerm(0);
        byte[] log = new byte[4 * FRAME_BYTES];
        Arrays.fill(log, 0, 3 * FRAME_BYTES, (byte) 0x7f);
        UnsafeBuffer frames = new UnsafeBuffer(log);
        for (int frame = 0; frame < 3 * FRAME_BYTES; frame += FRAME_BYTES) {
            frames.putInt(frame, FRAME_BYTES);
            frames.putByte(frame + 4, (byte) 0); // version
            FrameDescriptor.frameFlags(frames, frame, FrameDescriptor.UNFRAGMENTED);
            FrameDescriptor.frameType(frames, frame, HeaderFlyweight.HDR_TYPE_DATA);
            frames.putInt(frame + 8, frame);
        }
        Path segment = Files.createDirectories(folder.resolve("log/archive")).resolve("0-0.rec");
        Files.write(segment, log);
        assertThat(read().hasLog()).isTrue();
        log[FRAME_BYTES + at] ^= (byte) bit;
        Files.write(segment, log);
        assertThatIllegalArgumentException().isThrownBy(this::read).withMessageContaining("the log is damaged");
    }

    /** Aeron would fill the disk with an entry for each term up to the damaged one. */
    @Test
    void aTermThatIsFarTooLargeIsRefused() throws IOException {
        noteTerm(1 << 17);
        assertThatIllegalArgumentException().isThrownBy(this::read).withMessageContaining("a leader of term 131072");
    }

    private void noteTerm(long term) throws IOException {
        Path cluster = Files.createDirectories(folder.resolve("log/cluster"));
        try (RecordingLog notes = new RecordingLog(cluster.toFile(), true)) {
            notes.appendTerm(0, term, 0, 0);
        }
    }

    private NodeFolder read() throws IOException {
        NodeFolder opened = new NodeFolder(folder);
        try {
            opened.read();
        } finally {
            opened.close();
        }
        return opened;
    }

    @Test
    void theWorldThatIsKeptFirstIsReadAgain() throws IOException {
        NodeFolder first = read();
        assertThat(first.world()).isNull();
        assertThat(first.worldOrProposal()).isEqualTo(first.worldOrProposal()).isNotEqualTo(read().worldOrProposal());
        first.keep(WORLD);
        first.keep(WORLD);
        assertThatIllegalStateException()
                .isThrownBy(() -> first.keep(new UUID(1, 2)))
                .withMessageContaining("names world " + WORLD + ", but the log is of world " + new UUID(1, 2));
        assertThat(first.worldOrProposal()).isEqualTo(WORLD);
        assertThat(read().world()).isEqualTo(WORLD);
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("world", "lock");
    }

    /** A file that a killed process wrote in part names no world. */
    @Test
    void halfAFileIsNone() throws IOException {
        Files.writeString(folder.resolve("world.next"), "6f1c");
        assertThat(read().world()).isNull();
        read().keep(WORLD);
        assertThat(read().world()).isEqualTo(WORLD);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "6f1c"})
    void aDamagedFileIsRefused(String text) throws IOException {
        Files.writeString(folder.resolve("world"), text);
        assertThatIllegalArgumentException().isThrownBy(this::read).withMessageContaining(text);
    }

    /**
     * A copy is complete only when the log reaches the last term in its recording log. Aeron lists the leader's term before it has copied
     * the log, and refuses a node that has the entry without the log.
     */
    @Test
    void shouldCopyTheLogUpToTheLastTerm() throws IOException {
        Path copy = Files.createDirectories(folder.resolve("copy"));
        try (NodeFolder own = new NodeFolder(folder.resolve("own"));
                RecordingLog notes = new RecordingLog(copy.toFile(), true)) {
            StateFetch fetch = new StateFetch(own);
            fetch.copied(5000);
            notes.appendTerm(1, 11, 1000, 0);
            notes.appendTerm(1, 12, 4000, 0);
            fetch.onUpdatedRecordingLog(notes, List.of());
            fetch.copied(5000);
            assertThat(fetch.isComplete()).as("without a state").isFalse();
            fetch.onUpdatedRecordingLog(notes, List.of(new RecordingLog.Snapshot(2, 11, 1000, 3000, 0, -1)));
            fetch.copied(3999);
            assertThat(fetch.isComplete()).isFalse();
            fetch.copied(4000);
            assertThat(fetch.isComplete()).isTrue();
        }
    }
}
