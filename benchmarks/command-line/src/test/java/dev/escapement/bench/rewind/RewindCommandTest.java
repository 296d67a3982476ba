package dev.escapement.bench.rewind;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import dev.escapement.bench.JsonKeys;
import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.simulation.ForwardingSimulation;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class RewindCommandTest {

    private static final String KEYS = """
            bytesPerMovingBody
            correctionErrorMm
            correctionJump
            mismatches
            placeMicros
            placeMicros.p50
            placeMicros.p99
            rayAging
            rayRatio
            restoreMicros
            restoreMicros.p50
            restoreMicros.p99
            rollbackMicros
            rollbackMicros.p50
            rollbackMicros.p99
            rollbacks
            saveMicros
            saveMicros.p50
            saveMicros.p99
            worstCorrectionJump""";

    @TempDir
    private Path folder;

    private final StringWriter out = new StringWriter();
    private final RewindCommand rewind = new RewindCommand();

    private int execute(Object... arguments) {
        rewind.warmUpTicks = 20;
        rewind.ticks = 3;
        rewind.bodies = 30;
        rewind.latePushes = 3;
        rewind.latenessNanos = 400_000_000;
        String[] texts = new String[arguments.length];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = arguments[i].toString();
        }
        return new CommandLine(rewind).setOut(new PrintWriter(out, true)).execute(texts);
    }

    @Test
    void shouldMeasureEachFigureWithinTheWidthOfAScreenAndFindNoDifference() throws IOException {
        Path json = folder.resolve("rewind.json");
        Path html = folder.resolve("rewind.html");
        assertThat(execute("--rollbacks", 1100, "--asked-ticks", 40, "--json", json, "--html", html))
                .as(out.toString())
                .isZero();
        assertThat(out.toString().lines().filter(line -> line.startsWith("|") || line.startsWith("+")))
                .hasSizeGreaterThan(15)
                .allMatch(line -> line.length() <= 100, "within 100 columns")
                .anyMatch(line -> line.contains("asleep") && line.contains("reached"));
        String text = Files.readString(json);
        assertThat(JsonKeys.of(text)).isEqualTo(JsonKeys.listed(KEYS));
        JsonObject figures = JsonParser.parseString(text).getAsJsonObject();
        assertThat(figures.get("rollbacks").getAsInt()).isEqualTo(1100);
        assertThat(figures.get("mismatches").getAsInt()).isZero();
        assertThat(figures.get("bytesPerMovingBody").getAsDouble()).isBetween(50.0, 1000.0);
        assertThat(figures.get("rayRatio").getAsDouble()).isPositive();
        assertThat(figures.get("correctionJump").getAsDouble()).isBetween(0.5, 1.2);
        assertThat(figures.get("correctionErrorMm").getAsDouble()).isLessThan(0.05);
        assertThat(Files.readString(html)).contains("\"name\":\"pushed in time\"", "\"name\":\"not pushed\"");
        for (String times : new String[] {"rollbackMicros", "saveMicros", "restoreMicros", "placeMicros"}) {
            assertThat(figures.getAsJsonObject(times).get("p50").getAsDouble()).isPositive();
        }
    }

    /** Pushes a mass by what it does not save: how often it was stepped. */
    private static final class Forgetful extends ForwardingSimulation {

        private final SpringSimulation springs;
        private int steps;

        Forgetful(SpringSimulation springs) {
            super(springs);
            this.springs = springs;
        }

        @Override
        public void step(Tick tick) throws Exception {
            super.step(tick);
            springs.push(0, 1e-9 * steps++, 0, 0);
        }
    }

    @Test
    void shouldFindStateThatIsNotSavedAndSayHowToRepeatIt() {
        rewind.random = new Rollbacks(engine -> new Forgetful(new SpringSimulation(3)));
        assertThat(execute("--rollbacks", 20, "--seed", 7)).isOne();
        assertThat(out.toString()).contains("DIFFERS: ").contains("; --seed 7 --rollbacks 20 repeats it");
    }

    /** Each way of going back alone finds it: otherwise one of them would compare nothing. */
    @Test
    void shouldFindItInEachWayOfGoingBack() {
        StringBuilder found = new StringBuilder();
        for (int seed = 0; seed < 30; seed++) {
            Rollbacks random = new Rollbacks(RewindCommandTest::forgetful);
            random.search(seed, 1, () -> {});
            found.append(random.hashes.example());
        }
        assertThat(found).contains("INPUT_WAS_LATE", "FORKED");
    }

    private static Simulation forgetful(Engine engine) {
        return new Forgetful(new SpringSimulation(3));
    }
}
