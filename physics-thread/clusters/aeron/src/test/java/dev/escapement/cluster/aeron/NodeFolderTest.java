package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.UUID;
import org.agrona.IoUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeFolderTest {

    private static final UUID WORLD = UUID.fromString("6f1c0f0a-11d2-4f6e-9a3b-0123456789ab");

    @TempDir
    private Path folder;

    private void write(String part, String text) throws IOException {
        Files.createDirectories(folder.resolve(part));
        Files.writeString(folder.resolve(part).resolve("file"), text);
    }

    /** A complete copy replaces the node's log, even if the process is killed before, between or after the steps. */
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

    /** A recording that is not noted is damage. The length of a frame of 256 bytes begins with a zero byte. */
    @Test
    void aRecordingThatIsNotNotedIsRefused() throws IOException {
        Path archive = Files.createDirectories(folder.resolve("log/archive"));
        Files.write(archive.resolve("0-0.rec"), new byte[64]); // nothing was written yet
        assertThat(read().hasLog()).isFalse();
        Files.write(archive.resolve("0-0.rec"), new byte[] {0, 1, 0, 0, 0});
        assertThatIllegalArgumentException().isThrownBy(this::read).withMessageContaining("0-0.rec has something");
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
}
