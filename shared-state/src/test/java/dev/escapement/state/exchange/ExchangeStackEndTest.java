package dev.escapement.state.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An acquire that the virtual machine ends with an error leaves the reader with a window that is its own, a publish what readers hold as it is. */
@Timeout(120)
class ExchangeStackEndTest {

    /** Each in a machine of its own, which has linked nothing yet. */
    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1", "-XX:-TieredCompilation"})
    void shouldHoldAWholeWindowWhereTheStackEnds(String option) throws IOException, InterruptedException {
        assertFindsNothing(AcquiresAtStackEnd.class, option);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-Xint", "-XX:TieredStopAtLevel=1"})
    void shouldGoOnOrRefuseWhereTheStackEndedAPublish(String option) throws IOException, InterruptedException {
        assertFindsNothing(PublishesAtStackEnd.class, option);
    }

    private static void assertFindsNothing(Class<?> main, String option) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add(option);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        assertThat(process.waitFor()).as(output).isZero();
        assertThat(output).isEmpty();
    }
}
