package dev.escapement.physics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.Spawned;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.Await;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.Bodies;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.ManualClock;
import java.io.IOException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SpawnTest {

    private static final long TICK_NANOS = 10_000_000;

    private final ManualClock clock = new ManualClock(0);
    private final Crates crates = new Crates();
    private final InlineDriver driver =
            PhysicsService.builder(crates).commands(4, 2).inline(clock);
    private final SnapshotReader reader = driver.newReader();

    private void tick(int ticks) {
        for (int i = 0; i < ticks; i++) {
            clock.advance(TICK_NANOS);
            assertThat(driver.runDueTicks()).isEqualTo(1);
        }
    }

    private Bodies bodies() {
        assertThat(reader.acquire()).isTrue();
        return reader.window().newest().bodies();
    }

    private Spawned<Boolean> spawn(float height) {
        return driver.spawn((tick, id) -> crates.heights.put(id, height) == null);
    }

    @Test
    void shouldGiveAnIdAtOnceThatLaterCommandsKnow() throws Exception {
        tick(3);
        Spawned<Boolean> crate = spawn(1);
        CompletableFuture<Answer<Float>> raised = driver.command(tick -> crates.heights.put(crate.id(), 5f));
        assertThat(crate.answer()).isNotDone();
        assertThat(crate.id()).isEqualTo(BodyId.of(0, 1));
        assertThat(bodies().exists(crate.id())).isFalse();

        tick(1);
        assertThat(Await.get(crate.answer())).isEqualTo(new Answer<>(4, true));
        assertThat(Await.get(raised)).isEqualTo(new Answer<>(4, 1f));
        assertThat(bodies().exists(crate.id())).isTrue();
        assertThat(reader.window().newest().bodies().userData(0)).isEqualTo(7);
        assertThat(reader.window().newest().poses().block(0).py[0]).isEqualTo(5);
    }

    /** The simulation counts its bodies, which its first capture shows. Then the caller fails, and not the run. */
    @Test
    void shouldFailTheSpawnAndNotTheRunWhereBodiesAreCounted() throws Exception {
        InlineDriver counting =
                PhysicsService.builder(ScriptedSimulation.good()).commands(4, 2).inline(clock);
        Spawned<Long> first = counting.spawn((tick, id) -> id);
        Spawned<Object> throwing = counting.spawn((tick, id) -> {
            throw new IllegalArgumentException("no crate");
        });
        Spawned<Long> nextTick = counting.spawn((tick, id) -> id);
        clock.advance(3 * TICK_NANOS);
        assertThat(counting.runDueTicks(3)).isEqualTo(3);
        for (Spawned<Long> spawned : List.of(first, nextTick)) {
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> Await.get(spawned.answer()))
                    .withMessageContaining("the simulation counts its bodies from 0");
        }
        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(() -> Await.get(throwing.answer()))
                .withMessageContaining("no crate");
        assertThatIllegalStateException()
                .isThrownBy(() -> counting.spawn((tick, id) -> id))
                .withMessageContaining("the simulation counts its bodies from 0");
        counting.close();
    }

    /** A refused spawn takes no slot. */
    @Test
    void shouldRefuseWhatDoesNotFitWithoutAnId() {
        for (int i = 0; i < 4; i++) {
            assertThat(BodyId.slot(spawn(i).id())).isEqualTo(i);
        }
        for (int i = 0; i < 3; i++) {
            Spawned<Boolean> refused = spawn(9);
            assertThat(BodyId.isLive(BodyId.generation(refused.id()))).isFalse();
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> Await.get(refused.answer()))
                    .withCauseInstanceOf(RejectedExecutionException.class)
                    .withMessageContaining("all 4 places of the queue of commands are taken");
        }
        tick(2);
        assertThat(spawn(4).id()).isEqualTo(BodyId.of(4, 1));
        tick(1);
        assertThat(bodies().count()).isEqualTo(5);
    }

    /** A paused replica publishes nothing, so no tick frees the slots of spawns that failed. */
    @Test
    void shouldUseFewSlotsWhileTimeStandsStill() {
        LiveRun run = new LiveRun();
        run.dueNanos = TICK_NANOS;
        run.standsStill = true;
        InlineDriver follower = PhysicsService.builder(new Crates()).follow(run).inline(clock);
        clock.advance(TICK_NANOS);
        assertThat(follower.runDueTicks()).isOne();
        int max = 0;
        for (int i = 0; i < 1000; i++) {
            Spawned<Object> failing = follower.spawn((tick, id) -> {
                throw new IOException("no shape for " + BodyId.toString(id));
            });
            max = Math.max(max, BodyId.slot(failing.id()));
            if (i % 7 == 0) {
                CompletableFuture<?> cancelled =
                        follower.spawn((tick, id) -> true).answer();
                assertThat(cancelled.cancel(false)).isTrue();
            }
            assertThat(follower.runDueTicks()).isZero();
            assertThat(failing.answer()).isCompletedExceptionally();
        }
        assertThat(max).isLessThan(4);
        follower.close();
    }

    /** A world of crates at given heights, which commands spawn. The next capture reports them. */
    private static final class Crates implements Simulation {

        private final Map<Long, Float> heights = new LinkedHashMap<>();
        private final Set<Long> reported = new HashSet<>();

        @Override
        public void step(Tick tick) {}

        @Override
        public void capture(PoseWriter poses) {
            heights.forEach((id, height) -> {
                if (reported.add(id)) {
                    poses.spawn(id, 7);
                }
                poses.set(poses.slotOf(id), 0, height, 0, 0, 0, 0, 1);
            });
        }
    }
}
