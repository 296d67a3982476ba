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
 * Any bytes are a log with a valid content, or are refused in the way that is documented: by a
 * {@link DamagedLogException}. No byte is read twice, and memory is bounded by {@link BoundedReading}; what hangs all the same ends
 * after the time that {@code junit-platform.properties} gives an input.
 *
 * <p>Without more this runs the seeds, which {@link SeedLogs} made. With {@code JAZZER_FUZZ=1}, Jazzer looks for others, for one of these
 * methods at a time:
 *
 * <pre>
 *   JAZZER_FUZZ=1 mvn -pl physics-thread/fuzz -am test -Dtest=LogFuzzTest#shouldReadOrRefuseAnyBytes \
 *       -Dsurefire.failIfNoSpecifiedTests=false
 * </pre>
 *
 * <p>{@code JAZZER_MAX_DURATION=10m} lets it look for longer. What it finds is left in {@code target}, to be put among the seeds.
 */
class LogFuzzTest {

    @FuzzTest(maxDuration = "10s")
    void shouldReadOrRefuseAnyBytes(byte[] bytes) throws Exception {
        BoundedReading.open(bytes);
    }

    /** Behind checksums that are right, which random bytes hardly ever are. */
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

    /** If a seed differs, the format has changed: then its version has to, and {@link SeedLogs} makes new ones. */
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

    /** Otherwise fuzzing would begin with files that are refused without a reason. */
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
