package dev.escapement.bench.golden;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.demo.Engine;
import dev.escapement.physics.simulation.Simulation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares the exact behaviour of seeded runs with the golden files: states and events of each engine, packets of a stream, and poses that
 * views show. A refactoring changes no line of them. Any change is a decision, noted in CHANGELOG.md. With {@code -Dgolden.write=true}
 * (.ci/golden) the test writes the files first.
 */
class GoldenTest {

    private static final Path FOLDER = Path.of("src", "test", "resources", "golden");

    private static final String PILE = "-pile";
    private static final String IF_MEANT =
            "If the change is meant, write the files with .ci/golden, commit them, and name the change in CHANGELOG.md.";

    @TempDir
    private static Path logs;

    static Stream<String> files() {
        List<String> files = new ArrayList<>(List.of("stream"));
        for (Engine engine : Engine.values()) {
            files.add(engine.toString());
            if (engine != Engine.SPRING) {
                files.add(engine + PILE);
            }
        }
        return files.stream();
    }

    private static List<String> lines(String file) throws Exception {
        if (file.equals("stream")) {
            return new StreamLines().run();
        }
        Engine engine = Engine.valueOf(file.replace(PILE, "").toUpperCase(Locale.ROOT));
        Simulation world =
                file.endsWith(PILE) ? engine.pile(EngineLines.BODIES) : engine.simulation(EngineLines.BODIES);
        return new EngineLines().run(engine, world, logs.resolve(file));
    }

    /** Runs on one platform only, because native engines give other bits on others. JDK 17 and 25 give the same lines. */
    @ParameterizedTest
    @MethodSource("files")
    @EnabledOnOs(value = OS.LINUX, architectures = "amd64")
    void shouldRepeatTheLinesOfTheFile(String name) throws Exception {
        List<String> actual = lines(name);
        // PhysX takes approximate square roots, whose bits differ between kinds of processors. The second file has the
        // lines of the other kind.
        Path other = FOLDER.resolve(name + "-2.txt");
        if (Files.exists(other) && Files.readAllLines(other).equals(actual)) {
            return;
        }
        Path file = FOLDER.resolve(name + ".txt");
        if (Boolean.getBoolean("golden.write")) {
            Files.write(file, actual);
        }
        assertThat(Files.write(logs.resolve(name + ".txt"), actual))
                .as(IF_MEANT)
                .hasSameTextualContentAs(file);
    }
}
