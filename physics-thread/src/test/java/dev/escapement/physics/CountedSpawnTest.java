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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A simulation that counts its bodies goes on, whenever somebody wants to spawn one: who does is told. */
@Timeout(60)
class CountedSpawnTest {

    private static final String COUNTS = "no id can be reserved: the simulation counts its bodies from 0";
    private static final long TICK_NANOS = 10_000_000;

    private final Semaphore maySteps = new Semaphore(0);
    private final CountDownLatch stepping = new CountDownLatch(1);

    private PhysicsServiceBuilder builder(Simulation simulation) {
        return PhysicsService.builder(simulation).rate(TickRate.hertz(1000));
    }

    /** Counts one body, and waits in its first step. */
    private ScriptedSimulation counting() {
        return new ScriptedSimulation(tick -> {
            stepping.countDown();
            maySteps.acquire();
            maySteps.release();
        });
    }

    @Test
    void shouldTellWhoSpawnsBeforeTheStartOrTheFirstCapture() throws Exception {
        try (PhysicsService service = builder(counting()).build()) {
            Spawned<Long> before = service.spawn((tick, id) -> id);
            CompletableFuture<Answer<String>> behind = service.command(tick -> "ran");
            service.start();
            stepping.await();
            Spawned<String> within = service.spawn((tick, id) -> "never");
            maySteps.release();
            assertTold(before);
            assertTold(within);
            assertThat(Await.get(behind)).isEqualTo(new Answer<>(1, "ran"));
            assertGoesOn(service, before.id(), within.id());
        }
    }

    @Test
    void shouldTellWhoSpawnsBeforeTheFirstTickOfADriver() throws Exception {
        ManualClock clock = new ManualClock(0);
        InlineDriver driver =
                PhysicsService.builder(ScriptedSimulation.good()).commands(2, 1).inline(clock);
        SnapshotReader reader = driver.newReader();
        Spawned<Long> ran = driver.spawn((tick, id) -> tick);
        Spawned<String> didNot = driver.spawn((tick, id) -> "never");
        clock.advance(4 * TICK_NANOS);
        assertThat(driver.runDueTicks()).isEqualTo(4);
        assertTold(ran);
        assertTold(didNot);
        assertThatIllegalStateException()
                .isThrownBy(() -> driver.spawn((tick, id) -> id))
                .withMessageStartingWith(COUNTS);
        assertThat(reader.acquire()).isTrue();
        assertCounted(reader.window().newest().bodies(), ran.id(), didNot.id());
        assertThat(driver.command(tick -> tick))
                .as("their places are free again")
                .isNotDone();
        assertThat(driver.command(tick -> tick)).isNotDone();
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

    private static void assertTold(Spawned<?> spawned) throws Exception {
        assertThat(Await.failure(spawned.answer()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith(COUNTS);
    }

    private static void assertGoesOn(PhysicsService service, long... nobodys) throws Exception {
        long tick = Await.get(service.query(now -> now)).tick();
        Await.tickAfter(service, tick + 3);
        assertThat(service.failure()).isEmpty();
        assertThatIllegalStateException()
                .isThrownBy(() -> service.spawn((now, id) -> id))
                .withMessageStartingWith(COUNTS);
        SnapshotReader reader = service.newReader();
        Await.until(reader::acquire);
        assertCounted(reader.window().newest().bodies(), nobodys);
        reader.close();
    }

    private static void assertCounted(Bodies bodies, long... nobodys) {
        assertThat(bodies.count()).isEqualTo(1);
        assertThat(bodies.slotCount()).isEqualTo(1);
        for (long id : nobodys) {
            assertThat(bodies.exists(id)).isFalse();
        }
    }
}
