package example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compiles the first-hour projects. .ci/first-hour also runs them, each as a project of its own. */
class FirstHourTest {

    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @ParameterizedTest
    @ValueSource(strings = {"jolt", "dyn4j", "jme"})
    void shouldCompile(String project, @TempDir Path classes) {
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        String main = Path.of("first-hour", project, "Main.java").toString();
        int code = ToolProvider.getSystemJavaCompiler()
                .run(null, null, errors, "-proc:none", "-d", classes.toString(), "-cp", CLASS_PATH, main);
        assertThat(code).as(errors.toString(StandardCharsets.UTF_8)).isZero();
    }

    @Test
    void shouldShowTheDependenciesOfJmonkeyengine() throws IOException {
        String pom = Files.readString(Path.of("first-hour", "jme", "pom.xml"));
        String dependencies = pom.substring(pom.indexOf("\n  <dependencies>"), pom.indexOf("\n  <build>"));
        assertThat(Path.of("..", "..", "render-thread", "docs", "backends.md"))
                .content()
                .contains(dependencies);
    }

    @Test
    void shouldCompileInKotlin(@TempDir Path classes) {
        assertThat(compileKotlin(Path.of("first-hour", "kotlin", "Main.kt"), classes))
                .isEmpty();
    }

    /** Kotlin treats JSpecify's annotations as types, so passing null is an error and not a warning. */
    @Test
    void shouldRefuseNullInKotlin(@TempDir Path folder) throws Exception {
        Path wrong = Files.writeString(folder.resolve("Wrong.kt"), """
                import dev.escapement.physics.PhysicsService
                import dev.escapement.physics.dyn4j.Dyn4jWorldSimulation
                import org.dyn4j.dynamics.Body

                fun use(world: Dyn4jWorldSimulation<Body>) = world.bodyOf(1).mass
                fun pass() = PhysicsService.start(null)
                fun ask(physics: PhysicsService, world: Dyn4jWorldSimulation<Body>): Double? =
                    physics.query { world.bodyOf(1) }.join().value()?.angularVelocity
                """);
        assertThat(compileKotlin(wrong, folder))
                .contains("5:61: error: only safe (?.)")
                .contains("6:35: error: null cannot be a value of a non-null type")
                .doesNotContain(":7:", ":8:");
    }

    private static String compileKotlin(Path source, Path classes) {
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        PrintStream report = new PrintStream(errors, true, StandardCharsets.UTF_8);
        String[] options = {"-no-stdlib", "-no-reflect", "-d", classes.toString(), "-cp", CLASS_PATH, source.toString()
        };
        new K2JVMCompiler().exec(report, options);
        return errors.toString(StandardCharsets.UTF_8);
    }
}
