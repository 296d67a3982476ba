package example;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The projects of the first hour compile; .ci/first-hour also runs them, each as a project of its own. */
class FirstHourTest {

    @ParameterizedTest
    @ValueSource(strings = {"jolt", "dyn4j"})
    void shouldCompile(String project, @TempDir Path classes) {
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        int code = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        errors,
                        "-proc:none",
                        "-d",
                        classes.toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Path.of("first-hour", project, "Main.java").toString());
        assertThat(code).as(errors.toString(StandardCharsets.UTF_8)).isZero();
    }
}
