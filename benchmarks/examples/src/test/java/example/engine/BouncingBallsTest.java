package example.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.physics.spi.TickSource;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Records one run on a real physics thread, then replays and checks it. */
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
    void shouldRecordEveryTickAndEveryToss() throws Exception {
        InputLog log = InputLog.open(file);
        assertThat(log.isComplete()).isTrue();
        assertThat(log.ticks()).isGreaterThanOrEqualTo(TOSSES * 100);
        int events = 0;
        try (TickSource ticks = log.open(new BouncingBalls(1, 1))) {
            for (long tick = 1; ticks.isReady(); tick++) {
                ticks.take(tick);
                events += ticks.input(0, log.rate().nanosAt(1)).size();
            }
        }
        assertThat(impacts).as("heard to hit the floor").isGreaterThan(200);
        assertThat(events).as("the last one may be too late").isBetween(TOSSES - 1, TOSSES);
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
