package dev.escapement.physics.replay.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.replay.format.RightChecksums;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The seeds are what a recording writes. If not, the format has changed: then its version has to, and {@link SeedLogs} makes new ones. */
class SeedLogsTest {

    @Test
    void shouldBeWhatARecordingWrites() throws Exception {
        for (Map.Entry<String, byte[]> seed : SeedLogs.all().entrySet()) {
            String name = "LogFuzzTestInputs/" + seed.getKey();
            try (InputStream file = SeedLogsTest.class.getResourceAsStream(name)) {
                assertThat(Objects.requireNonNull(file, name).readAllBytes())
                        .as(name)
                        .isEqualTo(seed.getValue());
            }
        }
    }

    /** Otherwise fuzzing would begin with files that are refused without a reason. */
    @Test
    void shouldBeAccepted() throws Exception {
        for (Map.Entry<String, byte[]> seed : SeedLogs.all().entrySet()) {
            InputLog log = BoundedReading.open(seed.getValue());
            assertThat(log).as(seed.getKey()).isNotNull();
            if (log != null && log.isComplete()) {
                assertThat(RightChecksums.of(seed.getValue())).as(seed.getKey()).isEqualTo(seed.getValue());
            }
        }
    }
}
