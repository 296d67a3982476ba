package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StateFetchTest {

    @TempDir
    private Path folder;

    private void write(String file, String text) throws IOException {
        Path path = folder.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, text);
    }

    private void shouldHave(String text) throws IOException {
        for (String kept : new String[] {"archive", "cluster"}) {
            assertThat(folder.resolve(kept).resolve("file")).hasContent(text);
        }
        assertThat(folder.toFile().list()).containsExactlyInAnyOrder("archive", "cluster");
    }

    /** A process is killed before, between and after the steps in which what was copied takes its place. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void whatIsCompleteTakesItsPlaceWheneverAProcessIsKilled(int steps) throws IOException {
        write("archive/file", "old");
        write("cluster/file", "old");
        String copied = steps == 0 ? "fetched" : "complete";
        write(copied + "/archive/file", "new");
        write(copied + "/cluster/file", "new");
        write(copied + "/done", "");
        if (steps >= 2) {
            Files.delete(folder.resolve("archive/file"));
            Files.delete(folder.resolve("archive"));
        }
        if (steps >= 3) {
            Files.move(folder.resolve("complete/archive"), folder.resolve("archive"));
        }
        if (steps >= 4) {
            Files.delete(folder.resolve("cluster/file"));
            Files.delete(folder.resolve("cluster"));
        }
        if (steps >= 5) {
            Files.move(folder.resolve("complete/cluster"), folder.resolve("cluster"));
        }
        StateFetch.replaceOwn(folder);
        shouldHave("new");
        StateFetch.replaceOwn(folder);
        shouldHave("new");
    }

    @Test
    void whatIsNotCompleteIsDropped() throws IOException {
        write("archive/file", "old");
        write("cluster/file", "old");
        write("fetched/archive/file", "new");
        write("fetched/cluster/file", "new");
        StateFetch.replaceOwn(folder);
        shouldHave("old");
    }
}
