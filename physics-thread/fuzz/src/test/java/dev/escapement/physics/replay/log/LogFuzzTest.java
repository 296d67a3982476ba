package dev.escapement.physics.replay.log;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.escapement.physics.replay.DamagedLogException;
import dev.escapement.physics.replay.format.RightChecksums;
import java.io.InputStream;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Fuzzes the reading of logs: any bytes are a log with valid content, or a {@link DamagedLogException} refuses them. {@link BoundedReading}
 * checks that no byte is read twice, and bounds memory. An input that hangs ends after the time in {@code junit-platform.properties}.
 *
 * <p>By default this runs the seeds, which {@link SeedLogs} made. With {@code JAZZER_FUZZ=1}, Jazzer searches for new inputs, for one of
 * these methods at a time:
 *
 * <pre>
 *   JAZZER_FUZZ=1 mvn -pl physics-thread/fuzz -am test -Dtest=LogFuzzTest#shouldReadOrRefuseAnyBytes \
 *       -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 *
 * <p>{@code JAZZER_MAX_DURATION=10m} sets the time of the search. Jazzer leaves its findings in {@code target}; add them to the seeds.
 */
class LogFuzzTest {

    @FuzzTest(maxDuration = "10s")
    void shouldReadOrRefuseAnyBytes(byte[] bytes) throws Exception {
        BoundedReading.open(bytes);
    }

    /** Fuzzes the content behind right checksums, which random bytes hardly ever have. */
    @FuzzTest(maxDuration = "10s")
    void shouldAcceptOnlyWhatIsValid(byte[] bytes) throws Exception {
        byte[] original = RightChecksums.of(bytes);
        InputLog log = BoundedReading.open(original);
        if (log == null) {
            return;
        }
        ValidTicks.check(log, original.length);
        FuzzedReplay.run(log);
    }

    /**
     * The seeds are what a recording writes today. If one differs, the format has changed: change its version, and let {@link SeedLogs}
     * make new seeds.
     */
    @Test
    void shouldHaveSeedsThatARecordingWrites() throws Exception {
        for (Map.Entry<String, byte[]> seed : SeedLogs.all().entrySet()) {
            String name = "LogFuzzTestInputs/" + seed.getKey();
            try (InputStream file = LogFuzzTest.class.getResourceAsStream(name)) {
                assertThat(Objects.requireNonNull(file, name).readAllBytes())
                        .as(name)
                        .isEqualTo(seed.getValue());
            }
        }
    }

    /** Readers accept each seed. Else fuzzing would begin with files that are refused. */
    @Test
    void shouldAcceptItsSeeds() throws Exception {
        for (Map.Entry<String, byte[]> seed : SeedLogs.all().entrySet()) {
            InputLog log = BoundedReading.open(seed.getValue());
            assertThat(log).as(seed.getKey()).isNotNull();
            if (log != null && log.isComplete()) {
                assertThat(RightChecksums.of(seed.getValue())).as(seed.getKey()).isEqualTo(seed.getValue());
            }
        }
    }
}
