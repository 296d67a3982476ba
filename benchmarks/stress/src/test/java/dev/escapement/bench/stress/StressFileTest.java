package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.escapement.bench.JsonKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is left of scenarios, if the next one or the disk fails. */
class StressFileTest {

    @TempDir
    private Path temporary;

    @Test
    void shouldHaveEverythingAfterEachScenario() throws Exception {
        Path out = temporary.resolve("out");
        StressFile file = new StressFile(out);
        file.keep(MadeScenario.outcome("first", true, 100));
        assertThat(json(out).getAsJsonArray("scenarios")).hasSize(1);
        file.keep(MadeScenario.outcome("second", false, 100));
        JsonObject json = json(out);
        assertThat(json.getAsJsonArray("scenarios")).hasSize(2);
        assertThat(json.get("held").getAsInt()).isOne();
        assertThat(json.get("broken").getAsInt()).isOne();
        assertThat(file.failure()).isEmpty();
    }

    @Test
    void shouldWriteTheKnownKeys() throws Exception {
        StressFile file = new StressFile(temporary);
        file.keep(MadeScenario.outcome("idle", true, 100));
        assertThat(JsonKeys.of(Files.readString(temporary.resolve("stress.json"))))
                .isEqualTo(JsonKeys.listed("""
                        broken
                        cores
                        held
                        java
                        scenarios
                        scenarios[].checks
                        scenarios[].checks[].broken
                        scenarios[].checks[].checked
                        scenarios[].checks[].example
                        scenarios[].checks[].promise
                        scenarios[].checks[].says
                        scenarios[].failure
                        scenarios[].figures
                        scenarios[].figures[].name
                        scenarios[].figures[].unit
                        scenarios[].figures[].value
                        scenarios[].held
                        scenarios[].says
                        scenarios[].scenario
                        scenarios[].seconds"""));
    }

    @Test
    void shouldGoOnWithoutAFolderAndCatchUpWhenItIsBack() throws Exception {
        Path out = temporary.resolve("out");
        StressFile file = new StressFile(out);
        file.keep(MadeScenario.outcome("first", true, 100));
        Path away = Files.move(out, temporary.resolve("away"));
        file.keep(MadeScenario.outcome("second", true, 100));
        assertThat(file.failure()).contains("stress.json could not be written").doesNotContain("\n");
        assertThat(json(away).getAsJsonArray("scenarios")).hasSize(1);

        Files.move(away, out);
        file.keep(MadeScenario.outcome("third", true, 100));
        assertThat(file.failure()).isEmpty();
        assertThat(json(out).getAsJsonArray("scenarios")).hasSize(3);
    }

    private static JsonObject json(Path out) throws IOException {
        return JsonParser.parseString(Files.readString(out.resolve("stress.json")))
                .getAsJsonObject();
    }
}
