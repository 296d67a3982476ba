package example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that each promise of {@code .ci/planted} names a test that exists, and that each planted fault can be applied to the present code.
 */
class EvidenceTest {

    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();

    @Test
    void shouldNameExistingTestsAndFittingFaults() throws Exception {
        Check check = check();
        assertThat(check.exitCode).as(check.output).isZero();
    }

    /** A helper of a test class, a comment and a class without a method are no tests, nor does a fault fit that was planted before. */
    @Test
    void shouldRefuseRowsThatProveNothing(@TempDir Path folder) throws Exception {
        Path rows = Files.writeString(folder.resolve("bad.faults"), """
                == row-helper: Names a helper.
                promise: A promise.
                test: benchmarks/examples EvidenceTest#check
                == row-comment: Names a word of a comment.
                promise: A promise.
                test: benchmarks/examples EvidenceTest#comment
                == row-class: Names a class alone.
                promise: A promise.
                test: benchmarks/examples EvidenceTest
                == row-nothing: Names no test.
                promise: A promise.
                == row-luck: Is found by luck.
                promise: A promise.
                test: benchmarks/examples EvidenceTest#shouldRefuseRowsThatProveNothing
                found: luck
                file: pom.xml
                - a line that no file has
                + another
                """);
        Check check = check(rows.toString());
        assertThat(check.exitCode).isOne();
        assertThat(check.output.lines())
                .hasSize(6)
                .filteredOn(line -> line.contains("must name a test that exists"))
                .hasSize(3);
        assertThat(check.output)
                .contains(
                        "row-nothing says no promise, or no test",
                        "row-luck must be found by",
                        "row-luck: out of step");
    }

    private record Check(int exitCode, String output) {}

    private static Check check(String... files) throws Exception {
        List<String> command =
                new ArrayList<>(List.of("bash", ROOT.resolve(".ci/planted/run").toString(), "check"));
        command.addAll(List.of(files));
        Process process;
        try {
            process = new ProcessBuilder(command).redirectErrorStream(true).start();
        } catch (IOException e) {
            return abort("the promises of .ci/planted were not checked, because there is no bash: " + e.getMessage());
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Check(process.waitFor(), output);
    }
}
