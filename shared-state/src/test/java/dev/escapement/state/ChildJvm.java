package dev.escapement.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Runs programs in a JVM of their own, which has linked nothing yet and compiles as an option says. */
public final class ChildJvm {

    private ChildJvm() {}

    /** Everything that a program prints; it must end well. */
    public static String output(String option, Class<?> main, String argument)
            throws IOException, InterruptedException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command =
                List.of(java, option, "-cp", System.getProperty("java.class.path"), main.getName(), argument);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
