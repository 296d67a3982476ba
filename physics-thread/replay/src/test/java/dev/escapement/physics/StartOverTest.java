package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.replay.log.Recording;
import dev.escapement.physics.simulation.ServiceState;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.TickRate;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Services that replace a failed one. */
@Timeout(60)
class StartOverTest {

    private static final int LAST_GOOD_TICK = 6;
    private static final TickRate RATE = TickRate.hertz(2000);

    @Test
    void shouldResumeFromTheTickAfterTheLastGoodOne() throws Exception {
        IllegalStateException cause = new IllegalStateException("bodies overlap");
        PhysicsService failed = builder(ScriptedSimulation.failingFrom(LAST_GOOD_TICK + 1, cause))
                .build();
        SnapshotReader last = failed.newReader();
        failed.start();
        Await.state(failed, ServiceState.FAILED);
        CompletableFuture<Long> first = new CompletableFuture<>();
        PhysicsService next = builder(new ScriptedSimulation(tick -> first.complete(tick.number())))
                .firstTick(failed.lastTick() + 1)
                .build();
        SnapshotReader reader = next.newReader();
        next.start();
        Await.tickAfter(next, LAST_GOOD_TICK + 2);
        next.close();
        assertThat(first).isCompletedWithValue(LAST_GOOD_TICK + 1L);
        assertThat(reader.acquire()).isTrue();
        assertThat(reader.window().timeline().simNanosAt(next.startedAtNanos()))
                .as("simulated time continues, too")
                .isEqualTo(RATE.nanosAt(LAST_GOOD_TICK));
        assertThat(last.acquire()).isTrue();
        assertThat(last.window().newestTick()).as("stays readable").isEqualTo(LAST_GOOD_TICK);
        failed.close();
        assertThat(failed.failure()).containsSame(cause);
    }

    @Test
    void shouldRefuseAFirstTickThatIsNone(@TempDir Path folder) throws Exception {
        for (long tick : new long[] {Long.MIN_VALUE, 0, 6_311_520_000_001L}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> builder(new Witness()).firstTick(tick).build())
                    .withMessage("at 2000 Hz the first tick must be 1 to 6311520000000, but is " + tick
                            + "; to continue another service, it is lastTick() + 1");
        }
        try (Recording recording =
                Recording.create(folder.resolve("run"), new RunDescription("scripted", "1", "", 0, RATE))) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() ->
                            builder(new Witness()).with(recording).firstTick(2).build())
                    .withMessage("a log has every tick from 1 on, but the first tick is to be 2;"
                            + " begin with tick 1, or record nothing");
        }
    }

    private static PhysicsServiceBuilder builder(Simulation simulation) {
        return PhysicsService.builder(simulation).rate(RATE).onFailure(failure -> {});
    }
}
