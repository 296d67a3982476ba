package dev.escapement.physics.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.Divergence;
import dev.escapement.physics.PushedMasses;
import java.net.URL;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Logs of earlier versions of the format. Version 1 always had digests of each body. */
class OldLogTest {

    @Test
    void shouldReplay() throws Exception {
        assertThat(replayed(new PushedMasses(5)).divergence()).isEmpty();
    }

    @Test
    void shouldNameTheBodyAndTheComponentThatDiffer() throws Exception {
        PushedMasses other = new PushedMasses(5);
        other.push(3, 0, 1e-9, 0);
        Divergence divergence = replayed(other).divergence().orElseThrow();
        assertThat(divergence.tick()).isEqualTo(1);
        assertThat(divergence.body()).isEqualTo(3);
        assertThat(divergence.component()).isEqualTo("displacement y");
    }

    /** Late events, events of every kind, levels that changed in pauses, and bodies that come and go. */
    @Test
    void shouldReadEveryKindOfTick() throws Exception {
        RandomTicks ticks = new RandomTicks(5);
        try (Recording recording = new Recording(
                new MemorySink(Integer.MAX_VALUE, true), log("run").run(), Recording.CLOSE_NANOS)) {
            ticks.record(recording, 20);
        }
        assertThat(RandomTicks.tell(log("random-ticks"))).isEqualTo(ticks.told);
    }

    /** Version 2 had no commands. */
    @Test
    void shouldReadVersion2() throws Exception {
        RandomTicks ticks = new RandomTicks(5, false);
        try (Recording recording = new Recording(
                new MemorySink(Integer.MAX_VALUE, true), log("run").run(), Recording.CLOSE_NANOS)) {
            ticks.record(recording, 20);
        }
        assertThat(RandomTicks.tell(log(2, "random-ticks"))).isEqualTo(ticks.told);
    }

    private static RepeatedRun replayed(PushedMasses simulation) throws Exception {
        InputLog log = log("run");
        assertThat(log.isComplete()).isTrue();
        assertThat(log.ticks()).isEqualTo(20);
        try (RepeatedRun run = new RepeatedRun(log, simulation)) {
            while (run.at() < log.ticks()) {
                run.step();
            }
            assertThat(simulation.inputsApplied()).isEqualTo(22);
            return run;
        }
    }

    private static InputLog log(String name) throws Exception {
        return log(1, name);
    }

    private static InputLog log(int version, String name) throws Exception {
        URL file = OldLogTest.class.getResource("version-" + version + "-" + name + ".esclog");
        InputLog log = InputLog.open(Path.of(Objects.requireNonNull(file, name).toURI()));
        try (LogReader reader = log.reader()) {
            assertThat(reader.header().version()).isEqualTo(version);
        }
        return log;
    }
}
