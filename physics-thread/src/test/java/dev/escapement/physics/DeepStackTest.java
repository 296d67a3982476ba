package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A thread that offers commands at the end of its stack gets the error; no other thread notices. */
@Timeout(240)
class DeepStackTest {

    @Test
    void shouldResumeAfterCommandsThatOverflowedTheStack() throws Exception {
        new DeepCommands().run();
    }

    /** Every call has a frame there, those of atomic accesses too. */
    @Test
    void shouldResumeWhereNothingIsCompiled() throws IOException, InterruptedException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xint",
                        "-cp",
                        System.getProperty("java.class.path"),
                        DeepCommands.class.getName())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).endsWith("right");
    }
}
