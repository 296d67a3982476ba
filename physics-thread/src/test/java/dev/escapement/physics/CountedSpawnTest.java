package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.Spawned;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A simulation that counts its bodies goes on, whenever somebody wants to spawn one: who does is told. */
@Timeout(60)
class CountedSpawnTest {

    private static final String COUNTS = "no id can be reserved: the simulation counts its bodies from 0";
    private static final long TICK_NANOS = 10_000_000;

    private PhysicsServiceBuilder builder(Simulation simulation) {
        return PhysicsService.builder(simulation).rate(TickRate.hertz(1000));
    }

    @Test
    void shouldTellWhoSpawnsBeforeTheFirstCapture() throws Exception {
        ManualClock clock = new ManualClock(0);
        InlineDriver[] self = new InlineDriver[1];
        List<Spawned<?>> told = new ArrayList<>();
        InlineDriver driver = PhysicsService.builder(new ScriptedSimulation(tick -> {
                    if (tick.number() == 1) {
                        told.add(self[0].spawn((now, id) -> "never"));
                    }
                }))
                .commands(3, 1)
                .inline(clock);
        self[0] = driver;
        SnapshotReader reader = driver.newReader();
        told.add(driver.spawn((tick, id) -> "ran"));
        told.add(driver.spawn((tick, id) -> "never"));
        clock.advance(4 * TICK_NANOS);
        assertThat(driver.runDueTicks()).isEqualTo(4);
        for (Spawned<?> spawned : told) {
            assertThat(Await.failure(spawned.answer()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith(COUNTS);
        }
        assertThatIllegalStateException()
                .isThrownBy(() -> driver.spawn((tick, id) -> id))
                .withMessageStartingWith(COUNTS);
        assertThat(reader.acquire()).isTrue();
        Bodies bodies = reader.window().newest().bodies();
        assertThat(bodies.count()).isEqualTo(1);
        assertThat(bodies.slotCount()).isEqualTo(1);
        assertThat(told).hasSize(3).noneMatch(spawned -> bodies.exists(spawned.id()));
        for (int i = 0; i < 3; i++) {
            assertThat(driver.command(tick -> tick))
                    .as("their places are free again")
                    .isNotDone();
        }
    }

    /** A simulation that spawns is not concerned: what was commanded before the start belongs to tick 1. */
    @Test
    void shouldSpawnInTheFirstTickWhereBodiesAreNotCounted() throws Exception {
        Crates crates = new Crates();
        try (PhysicsService service = builder(crates).build()) {
            Spawned<Boolean> crate = service.spawn((tick, id) -> crates.add(id, 1));
            service.start();
            assertThat(Await.get(crate.answer())).isEqualTo(new Answer<>(1, true));
            SnapshotReader reader = service.newReader();
            Await.until(reader::acquire);
            Bodies bodies = reader.window().newest().bodies();
            assertThat(bodies.exists(crate.id())).isTrue();
            assertThat(bodies.spawnTick(BodyId.slot(crate.id()))).isEqualTo(1);
        }
    }

    /** It ran, though the tick failed. */
    @Test
    void shouldAnswerWhatRanBeforeATickThatFailed() throws Exception {
        IllegalStateException cause = new IllegalStateException("bodies overlap");
        PhysicsService service =
                builder(ScriptedSimulation.failingFrom(1, cause)).build();
        Spawned<String> ran = service.spawn((tick, id) -> "ran");
        service.start();
        assertThat(Await.get(ran.answer()).value()).isEqualTo("ran");
        service.close();
    }
}
