package example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Checks that each promise of {@code .ci/planted} names a test that exists, and that each planted fault can be applied to the present code.
 */
class EvidenceTest {

    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

    @Test
    void shouldNameExistingTestsAndFittingFaults() throws Exception {
        Process check;
        try {
            check = new ProcessBuilder("bash", ROOT.resolve(".ci/planted/run").toString(), "check")
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            abort("the promises of .ci/planted were not checked, because there is no bash: " + e.getMessage());
            return;
        }
        String output = new String(check.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(check.waitFor()).as(output).isZero();
    }
}
