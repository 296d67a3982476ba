package dev.escapement.bench;

import static dev.escapement.bench.Executed.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.google.gson.JsonObject;
import dev.escapement.bench.demo.SeededWorld;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.flight.FlightRecorder;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.simulation.Simulation;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Tests {@code run --record} and {@code replay} through their command lines. A bad file or folder leads to an error message of one line and
 * exit code 2.
 */
class RecordAndReplayTest {

    private static final int TICKS = 60;

    @TempDir
    private Path folder;

    /** The run ends as by Ctrl-C as soon as its page's address is alone on a line. Its first frame would come only after half a minute. */
    @Test
    void shouldReportTheLogOfARunWithoutFrames() {
        Path log = folder.resolve("run.esclog");
        String address = "http://127\\.0\\.0\\.1:\\d+/[0-9a-f]{32}/";
        Executed run = Executed.untilLine(
                address, "run", "--engine=spring", "--tick-hz=1/10", "--live", "--out=" + folder, "--record=" + log);
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("nothing was measured, and only " + log + " is written.");
        assertThat(folder)
                .isDirectoryContaining(file -> file.equals(log))
                .isDirectoryNotContaining("glob:**.{json,html}");
    }

    @Test
    void shouldRepeatARunAndWriteTheDocumentedKeys() throws Exception {
        Path log = folder.resolve("run.esclog");
        Path flights = folder.resolve("flights");
        String line = "run --engine jolt --bodies 200 --seconds 3 --out %s --record %s --flight-recorder %s";
        Executed run =
                Executed.of((Object[]) line.formatted(folder, log, flights).split(" "));
        assertThat(run.exitCode()).as(run.err() + run.out()).isZero();
        assertThat(flights).as("no failure").isDirectoryNotContaining("glob:**.esclog");
        Executed replay = Executed.of("replay", log, "--verify");
        assertThat(replay.exitCode()).as(replay.out()).isZero();
        JsonObject json = Executed.json(folder.resolve("run.json"));
        long ticks = json.getAsJsonObject("recording").get("ticks").getAsLong();
        assertThat(ticks).isPositive().isEqualTo(json.get("ticks").getAsLong());
        assertThat(replay.out())
                .contains("The log is complete.")
                .contains("State hash after tick " + ticks + ": "
                        + json.get("stateHash").getAsString())
                .contains("Ticks 1 to " + ticks + " led to the recorded states.");
        assertThat(documentedKeys()).isEqualTo(new TreeSet<>(json.keySet()));
    }

    /** Returns the keys that docs/run-json.md documents: each item of its lists begins with keys, before a colon. */
    private static Set<String> documentedKeys() throws Exception {
        return Files.readAllLines(Path.of("..", "docs", "run-json.md")).stream()
                .filter(line -> line.startsWith("- "))
                .map(line -> line.substring(0, line.indexOf(": ")))
                .flatMap(names -> Pattern.compile("`(\\w+)`").matcher(names).results())
                .map(name -> name.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void shouldNameTheFirstTickThatDiffers() throws Exception {
        SpringSimulation springs = new SpringSimulation(200);
        MeddledSprings nudged = new MeddledSprings(springs, 30, () -> springs.push(70, 0, 1e-9, 0));
        Path log = write(folder.resolve("nudged"), springs(200), nudged, TICKS);

        Executed verified = Executed.of("replay", log, "--verify");
        assertThat(verified.exitCode()).isEqualTo(1);
        assertThat(verified.out())
                .contains("differ from the recorded ones: tick 30:")
                .doesNotContain("led to the recorded states");

        Executed unverified = Executed.of("replay", log);
        assertThat(unverified.exitCode()).as("it ran").isZero();
        assertThat(unverified.out()).contains("differ from the recorded ones: tick 30:");
    }

    @Test
    void shouldPlayACutLogToItsEnd() throws Exception {
        Path log = write(folder.resolve("springs"), springs(20), new SpringSimulation(20), TICKS);
        byte[] whole = Files.readAllBytes(log);
        // Cuts off the end record, and one byte of the record before it.
        Files.write(log, Arrays.copyOf(whole, whole.length - 13));

        Executed verified = Executed.of("replay", log, "--verify");
        assertThat(verified.exitCode()).as(verified.err()).isZero();
        assertThat(verified.out())
                .contains("The log is cut off after tick 59, as that of a process that was killed")
                .contains("Ticks 1 to 59 led to the recorded states.")
                .doesNotContain("The log is complete");
    }

    /** The recorded run failed because of a wrapper around its world, which the replay does not have. */
    @Test
    void shouldSayThatARecordedFailureDidNotRepeat() throws Exception {
        MeddledSprings failing = new MeddledSprings(new SpringSimulation(20), 30, () -> {
            throw new IllegalStateException("bodies overlap");
        });
        FlightRecorder recorder = FlightRecorder.in(folder, springs(20)).maxBytes(1 << 20);
        try (SeededWorld world = new SeededWorld(failing, 5, builder -> builder.with(recorder))) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> world.run(1, TICKS))
                    .withMessageContaining("bodies overlap");
        }
        File[] kept = folder.toFile().listFiles((in, name) -> name.endsWith(".esclog"));
        Path file = Objects.requireNonNull(kept)[0].toPath();
        Executed replay = Executed.of("replay", file);
        assertThat(replay.exitCode()).as(replay.err()).isZero();
        assertThat(replay.out())
                .contains("Ticks 1 to 30 of a flight recorder: tick 30 threw IllegalStateException")
                .contains("ran through: the failure did not repeat");
    }

    @Test
    void shouldRefuseWhatIsNoLog() throws Exception {
        assertRefused(
                "the file is empty; name what 'run --record FILE' wrote",
                "replay",
                Files.write(folder.resolve("empty"), new byte[0]));
        Path text = Files.writeString(folder.resolve("text"), "a\n".repeat(99));
        assertRefused("than logs do; name what 'run --record FILE' wrote", "replay", text);
        assertRefused("does not exist", "replay", folder.resolve("nowhere"));
        assertRefused("is no file; name what 'run --record FILE' wrote", "replay", folder);
        Path log = write(folder.resolve("none"), springs(5), new SpringSimulation(5), 0);
        assertRefused("has no ticks", "replay", log);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            havok  | 5.6 | 5 bodies        | 0 | the engine 'havok', but only [jolt, bullet, ode4j, dyn4j, box2d, physx, spring] are known
            spring | 0   | 5 bodies        | 0 | recorded with spring 0, but here is 2
            ode4j  | 0.5.3 | 5 bodies      | 0 | recorded with ode4j 0.5.3, but here is 0.5.3, machine 2
            spring | 2   | 5 bunnies       | 0 | the recorded scene '5 bunnies' with seed 0 is not known
            spring | 2   | 1000001 bodies  | 0 | '0 bodies' to '1000000 bodies'
            spring | 2   | 5 bodies        | 9 | with seed 9 is not known
            """)
    void shouldRefuseAnotherWorld(String engine, String version, String scene, long seed, String says)
            throws Exception {
        RunDescription run = new RunDescription(engine, version, scene, seed, SeededWorld.RATE);
        Path log = write(folder.resolve("other"), run, new SpringSimulation(5), 40);
        assertRefused(says, "replay", log, "--verify");
    }

    @Test
    void shouldNeverWriteOverAFile() throws Exception {
        Path existing = Files.writeString(folder.resolve("existing"), "kept");
        assertRefused("exists, and no log is ever overwritten", recordTo(existing));
        assertThat(existing).hasContent("kept");
        assertThat(folder.resolve("out/run.json")).doesNotExist();
        assertRefused("is a folder", recordTo(folder));
        assertRefused("cannot be written to", recordTo(existing.resolve("run.esclog")));
        assertRefused("is a file of other results of this run", recordTo(folder.resolve("out/../out/run.json")));
        Path link = Files.createSymbolicLink(folder.resolve("link"), folder.resolve("out"));
        assertRefused("is a file of other results of this run", recordTo(link.resolve("run.json")));
    }

    private Object[] recordTo(Path file) {
        return new Object[] {"run", "--engine", "spring", "--out", folder.resolve("out"), "--record", file};
    }

    private static RunDescription springs(int bodies) {
        return new RunDescription("spring", "2", bodies + " bodies", 0, SeededWorld.RATE);
    }

    private static Path write(Path file, RunDescription run, Simulation simulation, int ticks) throws IOException {
        try (Recording recording = Recording.create(file, run);
                SeededWorld world = new SeededWorld(simulation, 5, builder -> builder.with(recording))) {
            world.run(1, ticks);
        }
        return file;
    }
}
