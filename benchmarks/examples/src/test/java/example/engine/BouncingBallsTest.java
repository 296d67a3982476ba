package example.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.replay.log.InputLog;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BouncingBallsTest {

    private static final int TOSSES = 2;

    @TempDir
    private static Path folder;

    private static Path file;
    private static long impacts;

    @BeforeAll
    static void record() throws Exception {
        file = folder.resolve("balls.esclog");
        impacts = EngineExample.record(file, TOSSES);
    }

    @Test
    void shouldRecordEveryTick() throws Exception {
        InputLog log = InputLog.open(file);
        assertThat(log.isComplete()).isTrue();
        assertThat(log.ticks()).isGreaterThanOrEqualTo(TOSSES * 100);
        assertThat(impacts).as("heard to hit the floor").isGreaterThan(200);
    }

    @Test
    void shouldLeadToTheSameStatesAgain() throws Exception {
        assertThat(EngineExample.replay(file)).isEmpty();
    }

    @Test
    void shouldSaveAllThatATickDependsOn() throws Exception {
        assertThat(EngineExample.syncTest(file)).isEmpty();
    }
}
