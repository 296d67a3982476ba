package dev.escapement.render.interpolation;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same poses bit for bit, on every path that computes them. The constant is the same on every JDK and every processor. */
class SameBitsTest {

    private static final long GOLDEN = 2001915496899039412L;

    @Test
    void shouldComputeTheGoldenBitsHere() {
        assertThat(BitsProgram.hash(1)).isEqualTo(GOLDEN);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation", "-XX:-UseSuperWord"})
    void shouldComputeTheGoldenBitsHoweverTheyAreCompiled(String option) throws IOException, InterruptedException {
        String rounds = option.equals("-Xint") ? "1" : "8";
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add(option);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), BitsProgram.class.getName(), rounds));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).isEqualTo(Long.toString(GOLDEN));
    }
}
