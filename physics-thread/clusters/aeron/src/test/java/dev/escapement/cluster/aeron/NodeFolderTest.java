package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.IoUtil;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeFolderTest {

    @TempDir
    private Path folder;

    private void write(String part, String text) throws IOException {
        Files.createDirectories(folder.resolve(part));
        Files.writeString(folder.resolve(part).resolve("file"), text);
    }

    /** A process is killed before, between and after the steps that put a copy in place. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void whatIsCompleteTakesItsPlaceWheneverAProcessIsKilled(int steps) throws IOException {
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
}
