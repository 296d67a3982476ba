package dev.escapement.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Runs a test program in a new JVM, in which no call site is linked yet, with one JVM option such as {@code -Xint}. */
public final class ChildJvm {

    private ChildJvm() {}

    /** Runs the program and returns everything that it prints. Fails unless it exits with 0. */
    public static String output(String option, Class<?> main, String argument)
            throws IOException, InterruptedException {
        Process process = start(option, main, argument);
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    /** Starts the program, with its errors in its output. */
    public static Process start(String option, Class<?> main, String argument) throws IOException {
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        List<String> command =
                List.of(java, option, "-cp", System.getProperty("java.class.path"), main.getName(), argument);
        return new ProcessBuilder(command).redirectErrorStream(true).start();
    }
}
