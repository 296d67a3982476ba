package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.state.Await;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TimeScale;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests a replica of a source log that is still being written. */
@Timeout(30)
class LiveRunTest {

    private static final long MILLI = 1_000_000;

    private final LiveRun run = new LiveRun();
    private final ManualClock clock = new ManualClock(0);
    private final InlineDriver driver =
            PhysicsService.builder(ScriptedSimulation.good()).follow(run).inline(clock);

    private int at(long milli) {
        clock.advance(milli * MILLI - clock.nanoTime());
        return driver.runDueTicks();
    }

    @Test
    void aTickWaitsUntilItIsKnownAndDue() {
        assertThat(at(25)).isZero();
        run.dueNanos = 30 * MILLI;
        assertThat(at(29)).isZero();
        assertThat(at(30)).isEqualTo(1);
        assertThat(driver.skippedNanos()).isEqualTo(20 * MILLI);
        assertThat(at(45)).isZero();
        run.dueNanos = 40 * MILLI;
        assertThat(at(45)).isEqualTo(1);
        assertThat(driver.skippedNanos()).as("late here, not by the run").isEqualTo(20 * MILLI);
    }

    @Test
    void timeStandsStillAndChangesItsSpeedWithTheRun() {
        run.dueNanos = 10 * MILLI;
        run.standsStill = true;
        run.scale = new TimeScale(1, 2);
        assertThat(at(10)).isEqualTo(1);
        assertThat(at(100)).isZero();
        run.dueNanos = 130 * MILLI;
        assertThat(at(120)).isZero();
        run.standsStill = false;
        assertThat(at(130)).isEqualTo(1);
        run.dueNanos = 150 * MILLI; // 20 ms after the tick before: half the speed
        assertThat(at(149)).isZero();
        assertThat(at(150)).isEqualTo(1);
        assertThat(driver.skippedNanos()).isZero();
    }

    /** A driver serves requests before the due time of a missing tick and long after it. */
    @Test
    void aDriverServesRequestsWhileItsTickIsNotThere() {
        CompletableFuture<?> command = driver.command(tick -> tick);
        at(1);
        assertThat(command).isDone();
        run.dueNanos = 10 * MILLI;
        assertThat(at(10)).isEqualTo(1);
        CompletableFuture<?> query = driver.query(tick -> tick);
        assertThat(at(1000)).isZero();
        assertThat(query).isDone();
    }

    @Test
    void aTickThatFailsIsTheLastOne() {
        IllegalStateException cause = new IllegalStateException("bodies overlap");
        List<Long> stepped = new ArrayList<>();
        InlineDriver failing = PhysicsService.builder(new ScriptedSimulation(tick -> {
                    stepped.add(tick.number());
                    throw cause;
                }))
                .follow(run)
                .inline(clock);
        run.dueNanos = 10 * MILLI;
        run.commands = List.of(new CommandData(new CommandName("jump", 1), new byte[0]));
        clock.advance(10 * MILLI);
        CompletableFuture<?> query = failing.query(tick -> tick);
        assertThatThrownBy(failing::runDueTicks).isSameAs(cause);
        assertThatThrownBy(failing::runDueTicks)
                .hasMessageStartingWith("this driver ended with tick 1, which failed, and runs no other: ")
                .hasCause(cause);
        assertThat(failing.failure()).contains(cause);
        assertThat(failing.hasEnded()).isTrue();
        assertThat(query).isCompletedExceptionally();
        assertThat(failing.command(tick -> tick)).isCompletedExceptionally();
        assertThat(stepped).containsExactly(1L);
        assertThat(run.took).containsExactly(1L);
        assertThat(run.commandsRan).isEqualTo(1);
    }

    @Test
    void aRunThatIsAheadIsFollowedAtOnce() {
        at(1000);
        run.dueNanos = -500 * MILLI; // due before this process began
        assertThat(at(1001)).isEqualTo(1);
        run.dueNanos = -490 * MILLI;
        assertThat(at(1001)).isEqualTo(1);
        assertThat(driver.skippedNanos()).isZero();
    }

    @Test
    void aServiceThatWaitsForTicksCanBeClosed() throws Exception {
        LiveRun live = new LiveRun();
        try (PhysicsService service = PhysicsService.builder(ScriptedSimulation.good())
                .follow(live)
                .lateTicks(LateTicks.catchUp())
                .start()) {
            live.dueNanos = System.nanoTime() + 20 * MILLI;
            Await.until(() -> live.dueNanos == Long.MAX_VALUE);
            for (int query = 0; query < 3; query++) { // answered although no tick comes
                assertThat(service.query(tick -> tick).get().tick()).isEqualTo(1);
            }
        }
    }
}
