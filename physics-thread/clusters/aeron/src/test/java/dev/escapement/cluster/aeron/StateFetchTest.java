package dev.escapement.cluster.aeron;

import static org.assertj.core.api.Assertions.assertThat;

import io.aeron.cluster.RecordingLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateFetchTest {

    @TempDir
    private Path folder;

    /**
     * A copy is complete only when the log reaches the last noted term. Aeron notes the leader's term before the log is there, and refuses
     * a node that has the note without the log.
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
