package dev.escapement.bench.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.demo.Engine;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the exact behaviour of seeded runs with the golden files. They hold states and events of each engine, and packets of a stream with
 * poses of views. A refactoring changes none of them; any other change is a decision, noted in CHANGELOG.md. With {@code
 * -Dgolden.write=true} (.ci/golden) the test writes the files first.
 */
class GoldenTest {

    private static final Path FOLDER = Path.of("src", "test", "resources", "golden");

    private static final String IF_MEANT =
            "If the change is meant, write the files with .ci/golden, commit them, and name the change in CHANGELOG.md.";

    @TempDir
    private static Path logs;

    static List<Arguments> files() {
        List<Arguments> files = new ArrayList<>();
        for (Engine engine : Engine.values()) {
            files.add(
                    run(engine.toString(), log -> EngineLines.of(engine, engine.simulation(EngineLines.BODIES), log)));
            if (engine != Engine.SPRING) {
                files.add(run(engine + "-pile", log -> EngineLines.of(engine, engine.pile(EngineLines.BODIES), log)));
            }
        }
        files.add(run("stream", log -> StreamLines.of()));
        return files;
    }

    /** A run that may write a log, and makes the lines of a golden file. */
    private interface Run {
        List<String> lines(Path log) throws Exception;
    }

    private static Arguments run(String name, Run run) {
        return Arguments.of(name, run);
    }

    /** Runs on one platform, because native engines give other bits elsewhere. JDK 17 and 25 give the same lines. */
    @ParameterizedTest
    @MethodSource("files")
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64")
    void shouldRepeatTheLinesOfTheFile(String name, Run run) throws Exception {
        Path file = FOLDER.resolve(name + ".txt");
        List<String> actual = run.lines(logs.resolve(name));
        if (Boolean.getBoolean("golden.write")) {
            Files.write(file, actual);
        }
        // PhysX takes approximate square roots, whose bits differ between processors: a second file has the lines of
        // others.
        Path other = FOLDER.resolve(name + "-2.txt");
        if (!Files.exists(other) || !Files.readAllLines(other).equals(actual)) {
            assertThat(Files.write(logs.resolve(name + ".txt"), actual))
                    .as(IF_MEANT)
                    .hasSameTextualContentAs(file);
        }
    }
}
