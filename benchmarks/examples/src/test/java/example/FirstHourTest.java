package example;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.render.FrameView;
import dev.escapement.state.time.ManualClock;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.jetbrains.kotlin.cli.jvm.K2JVMCompiler;
import org.joml.Vector3f;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compiles the first-hour projects. .ci/first-hour also runs them, each as a project of its own. */
class FirstHourTest {

    private static final String CLASS_PATH = System.getProperty("java.class.path");

    @ParameterizedTest
    @ValueSource(strings = {"jolt", "dyn4j"})
    void shouldCompile(String project, @TempDir Path classes) {
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        String main = Path.of("first-hour", project, "Main.java").toString();
        int code = ToolProvider.getSystemJavaCompiler()
                .run(null, null, errors, "-proc:none", "-d", classes.toString(), "-cp", CLASS_PATH, main);
        assertThat(code).as(errors.toString(StandardCharsets.UTF_8)).isZero();
    }

    @Test
    void shouldPushABoxInKotlin(@TempDir Path classes) throws Exception {
        assertThat(compileKotlin(Path.of("first-hour", "kotlin", "Main.kt"), classes))
                .isEmpty();
        ManualClock clock = new ManualClock(0);
        try (URLClassLoader loader =
                new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
            Class<?> program = loader.loadClass("MainKt");
            Method push = Stream.of(program.getMethods())
                    .filter(method -> method.getName().equals("push"))
                    .findAny()
                    .orElseThrow();
            Simulation world = (Simulation) program.getMethod("makeWorld").invoke(null);
            try (InlineDriver driver = PhysicsService.builder(world).inline(clock);
                    FrameView view = FrameView.inline(driver.newReader())) {
                tick(200, clock, driver, view);
                long box = view.shown().bodies().id(1);
                var pushed = driver.command(tick -> push.invoke(null, world, box));
                var gone = driver.command(tick -> push.invoke(null, world, box + 2));
                tick(200, clock, driver, view);
                assertThat(pushed.join().value()).isEqualTo(true);
                assertThat(gone.join().value()).isEqualTo(false);
                assertThat((double) view.positionOfSlot(1, new Vector3f()).x).isGreaterThan(0.1);
            }
        }
    }

    private static void tick(int ticks, ManualClock clock, InlineDriver driver, FrameView view) {
        for (int tick = 0; tick < ticks; tick++) {
            clock.advance(10_000_000);
            driver.runDueTicks();
            view.advance(clock.nanoTime());
        }
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
