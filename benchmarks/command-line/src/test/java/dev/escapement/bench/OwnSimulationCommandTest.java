package dev.escapement.bench;

import static dev.escapement.bench.Executed.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OwnSimulationCommandTest {

    private static final Path EXAMPLE = Path.of("../docs/own-simulation/example/Pendulums.java");
    private static final String PENDULUMS = "example.Pendulums";

    private static final String BAD_ONES = """
            package bad;
            import dev.escapement.physics.simulation.Simulation;
            import dev.escapement.physics.simulation.Tick;
            import dev.escapement.state.capture.PoseWriter;
            public class Bad implements Simulation {
                public Bad() {}
                @Override public void step(Tick tick) {}
                @Override public void capture(PoseWriter poses) {}
                public static class Throwing extends Bad {
                    public Throwing(int bodies) { throw new IllegalStateException("no licence for " + bodies); }
                }
                public static class Named extends Bad { public Named(String name) {} }
                static class Hidden extends Bad { public Hidden() {} }
                public static class NoSimulation {}
                public static class Unlinked extends Bad { private static final int NONE = 1 / Integer.parseInt("0"); }
            }
            """;

    @TempDir
    private static Path folder;

    private static Path classes;

    @BeforeAll
    static void compile() throws IOException {
        Path bad = Files.writeString(folder.resolve("Bad.java"), BAD_ONES);
        classes = folder.resolve("classes");
        String path = System.getProperty("java.class.path");
        assertThat(ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, "-proc:none", "-cp", path, "-d", "" + classes, "" + EXAMPLE, "" + bad))
                .isZero();
    }

    @Test
    void shouldRunTheExample() throws Exception {
        Path out = folder.resolve("out");
        Executed run = Executed.of(
                "run", "--simulation", PENDULUMS, "--classpath", classes, "--bodies", 20, "--seconds", 3, "--out", out);
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).as(run.out()).isZero();
        JsonObject json = Executed.json(out.resolve("run.json"));
        assertThat(json.get("engine").getAsString()).isEqualTo(PENDULUMS);
        assertThat(json.get("bodies").getAsInt()).isEqualTo(20);
        assertThat(json.get("windowsChecked").getAsLong()).isPositive();
        assertThat(json.get("inputsOffered").getAsLong()).isZero();
        assertThat(json.get("stateHash").getAsString()).isEqualTo("0000000000000000");
        assertThat(out.resolve("report.html"))
                .content()
                .contains("<div class=\"verdict\">Library: every promise held")
                .as("whole without a network")
                .doesNotContain("{{", "src=\"http", "<link", "Fault:");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            bad.Bad$Throwing     | the constructor of bad.Bad$Throwing threw java.lang.IllegalStateException: no licence for
            bad.Bad$Named        | bad.Bad$Named has no public constructor that takes the number of bodies (int) or nothing
            bad.Bad$Hidden       | bad.Bad$Hidden must be a public class
            bad.Bad$NoSimulation | bad.Bad$NoSimulation does not implement dev.escapement.physics.simulation.Simulation
            bad.Bad$Unlinked     | bad.Bad$Unlinked cannot be linked: java.lang.ExceptionInInitializerError
            bad.Missing          | there is no class bad.Missing in --classpath
            """)
    void shouldRefuseInOneLineWhatIsNoSimulation(String className, String says) {
        assertRefused(
                says, "run", "--simulation", className, "--classpath", classes, "--out", folder.resolve("refused"));
    }
}
