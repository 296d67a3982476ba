package dev.escapement.bench;

import static dev.escapement.bench.Executed.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.state.time.TickRate;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Replays bad files, and records to bad places: each gives one line and exit code 2. */
class BadLogTest {

    @TempDir
    private Path folder;

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
        Path log = WrittenLog.write(folder.resolve("none"), WrittenLog.springs(5), new SpringSimulation(5), 0);
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
        RunDescription run = new RunDescription(engine, version, scene, seed, TickRate.hertz(100));
        Path log = WrittenLog.write(folder.resolve("other"), run, new SpringSimulation(5), 40);
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
}
