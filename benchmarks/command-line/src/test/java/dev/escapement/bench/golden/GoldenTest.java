package dev.escapement.bench.golden;

import static org.assertj.core.api.Assertions.fail;

import dev.escapement.bench.demo.Engine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the exact behaviour of seeded runs with the golden files. They hold states and events of each engine, packets of a stream, and
 * poses of views. A refactoring changes none of them; any other change is a decision, noted in CHANGELOG.md. With {@code
 * -Dgolden.write=true} (.ci/golden) the test writes the files first.
 */
class GoldenTest {

    private static final Path FOLDER = Path.of("src", "test", "resources", "golden");

    private static final String IF_MEANT =
            "If the change is meant, write the files with .ci/golden, commit them, and name the change in CHANGELOG.md.";

    private static final String MISSING = "(no such line)";

    /** A golden file, and the run that makes its lines. */
    record Golden(String file, Callable<List<String>> lines) {

        @Override
        public String toString() {
            return file;
        }
    }

    static List<Golden> files() {
        List<Golden> files = new ArrayList<>();
        for (Engine engine : Engine.values()) {
            files.add(new Golden(engine + ".txt", () -> EngineLines.ofMainJob(engine)));
            if (engine != Engine.SPRING) {
                files.add(new Golden(engine + "-pile.txt", () -> EngineLines.ofPile(engine)));
            }
        }
        files.add(new Golden("stream.txt", StreamLines::ofReceiver));
        files.add(new Golden("stream-broadcast.txt", StreamLines::ofBroadcast));
        files.add(new Golden("view.txt", ViewLines::of));
        return files;
    }

    /** Runs on one platform, because native engines give other bits elsewhere. JDK 17 and 25 give the same lines. */
    @ParameterizedTest
    @MethodSource("files")
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64")
    void shouldRepeatTheLinesOfTheFile(Golden golden) throws Exception {
        Path file = FOLDER.resolve(golden.file());
        List<String> actual = golden.lines().call();
        if (Boolean.getBoolean("golden.write")) {
            Files.createDirectories(FOLDER);
            Files.write(file, actual);
        }
        List<String> expected = Files.exists(file) ? Files.readAllLines(file) : List.of();
        Path other = FOLDER.resolve(otherProcessor(golden.file()));
        if (Files.exists(other) && Files.readAllLines(other).equals(actual)) {
            return;
        }
        int line = firstDifference(expected, actual);
        if (line > 0) {
            fail(
                    "golden/%s, line %d of %d:%nexpected: %s%nactual:   %s%n%s",
                    golden.file(), line, expected.size(), line(expected, line), line(actual, line), IF_MEANT);
        }
    }

    /** PhysX takes approximate square roots, whose bits differ between processors: a second file has the lines of other ones. */
    private static String otherProcessor(String file) {
        return file.replace(".txt", "-2.txt");
    }

    /** Returns the number of the first different line, from 1; 0 if all are equal. */
    private static int firstDifference(List<String> expected, List<String> actual) {
        for (int line = 1; line <= Math.max(expected.size(), actual.size()); line++) {
            if (!line(expected, line).equals(line(actual, line))) {
                return line;
            }
        }
        return 0;
    }

    private static String line(List<String> lines, int number) {
        return number <= lines.size() ? lines.get(number - 1) : MISSING;
    }
}
