package example.world;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.BoxShape;
import com.github.stephengold.joltjni.enumerate.EMotionType;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.replay.history.Rewound;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.state.Await;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.time.ManualClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Checks the statements of physics-thread/docs/back.md in a world with a tethered vehicle, a character, and a sleeping crate. */
class GoingBackTest {

    private static final int CAR = 1;
    private static final int CRATE = 3;

    private final ManualClock clock = new ManualClock(0);

    private final Map<Long, List<Float>> seen = new TreeMap<>();

    private static JoltWorldSimulation makeWorld() {
        JoltWorldSimulation simulation = OwnJoltWorld.makeWorld();
        Body crate = OwnJoltWorld.addBox(
                simulation.world().getBodyInterface(), new BoxShape(0.5f), -4, 0.5, EMotionType.Dynamic);
        simulation.world().getBodyInterface().deactivateBody(crate.getId());
        simulation.attach(crate, CRATE);
        return simulation;
    }

    private void run(InlineDriver driver, SnapshotReader reader, int ticks) {
        for (int i = 0; i < ticks; i++) {
            clock.advance(10_000_000);
            driver.runDueTicks();
            if (reader.acquire()) {
                PoseBlock poses = reader.window().newest().poses().block(0);
                List<Float> all = new ArrayList<>();
                for (int body = 0; body <= CRATE; body++) {
                    all.addAll(List.of(poses.px[body], poses.py[body], poses.pz[body], poses.qy[body]));
                }
                seen.put(reader.window().newest().simulationTick(), all);
            }
        }
    }

    @Test
    void shouldGoBackAndForkToTheVerySamePoses() {
        JoltWorldSimulation world = makeWorld();
        StateHistory past = StateHistory.ofTicks(1000);
        try (InlineDriver driver = PhysicsService.builder(world).with(past).inline(clock);
                SnapshotReader reader = driver.newReader()) {
            run(driver, reader, 400);
            Map<Long, List<Float>> first = Map.copyOf(seen);
            assertThat(first.get(400L)).isNotEqualTo(first.get(200L));

            CompletableFuture<Rewound> back = past.rewind(100);
            run(driver, reader, 300);
            assertThat(back.join()).isEqualTo(new Rewound(400, 100, 400));
            first.forEach((tick, poses) -> assertThat(seen).containsEntry(tick, poses));

            CompletableFuture<Float> forked = CompletableFuture.supplyAsync(
                    () -> GoingBack.heightAfter(100, past, 300, GoingBackTest::makeWorld));
            Await.until(() -> {
                driver.runDueTicks();
                clock.advance(10_000_000);
                return forked.isDone();
            });
            assertThat(first.get(400L).get(4 * CAR + 1)).isEqualTo(forked.join());
        }
    }

    @Test
    void shouldGoBackOverSpawnedAndDespawnedCrates() {
        JoltWorldSimulation world = makeWorld();
        GoingBack.Score score = new GoingBack.Score();
        world.keep(score);
        GoingBack.restoreCrates(world);
        StateHistory past = StateHistory.ofTicks(100);
        try (InlineDriver driver = PhysicsService.builder(world).with(past).inline(clock);
                SnapshotReader reader = driver.newReader()) {
            run(driver, reader, 10);
            Map<Long, List<Float>> first = Map.copyOf(seen);
            BodyInterface bodies = world.world().getBodyInterface();
            CompletableFuture<?> changed = driver.command(tick -> {
                Body gone = world.bodyOf(BodyId.of(CRATE, 1));
                world.detach(gone);
                bodies.removeBody(gone.getId());
                bodies.destroyBody(gone.getId());
                for (int crate = 0; crate < 2; crate++) {
                    world.attach(OwnJoltWorld.addBox(bodies, new BoxShape(0.5f), -4, 3, EMotionType.Dynamic), 9);
                }
                return ++score.goals;
            });
            run(driver, reader, 10);
            assertThat(changed).isDone();
            assertThat(past.rewind(5)).isNotNull();
            run(driver, reader, 5);
            assertThat(score.goals).isZero();
            assertThat(world.bodyCount()).isEqualTo(CRATE + 1);
            assertThat(seen.get(10L)).isEqualTo(first.get(10L));
        }
    }

    @Test
    void shouldGoBackOnAPhysicsThread() {
        StateHistory past = StateHistory.of(Duration.ofSeconds(10));
        try (PhysicsService physics = GoingBack.start(makeWorld(), past)) {
            Rewound rewound = GoingBack.back(physics, past, 1000).join();
            assertThat(rewound.to()).isZero();
            assertThatThrownBy(() -> past.rewind(1_000_000).join()).hasMessageContaining("are kept");
        }
    }
}
