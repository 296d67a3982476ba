package example.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.github.stephengold.joltjni.CustomPhysicsStepListener;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.command.Answer;
import dev.escapement.physics.host.PhysicsHost;
import dev.escapement.physics.simulation.HungSimulationException;
import dev.escapement.state.Await;
import dev.escapement.state.event.BodyEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.joml.Quaternionf;
import org.joml.Vector3f;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Dimensions that tick in lock step, as fast as the machine allows, beside a game's loop that stalls and a native step that hangs. */
@Timeout(60)
class BlockServerTest {

    private static final int DIMENSIONS = 8;
    private static final int GAME_TICKS = 100;
    private static final int PHYSICS_TICKS = 3; // per tick of the game
    private static final int STALL_TICKS = 12; // in 200 ms
    private static final int TICKS_PER_STALL = 20;
    private static final int THROW_AT = 60;
    private static final int TICKS_PER_CHUNK = 10;
    private static final int KEPT_CHUNKS = 3;

    /**
     * A dimension with a player who walks along x. Chunks before the player are loaded, chunks behind are unloaded. A crate rests beside
     * the player's path, on ground of its own.
     */
    private static final class Walk implements BlockServer.Dimension {

        private final int height;
        private final Map<BodyEvent.Kind, Integer> happened = new EnumMap<>(BodyEvent.Kind.class);
        private final List<CompletableFuture<Answer<Boolean>>> loads = new ArrayList<>();
        private final List<CompletableFuture<Answer<Boolean>>> trues = new ArrayList<>();

        @SuppressWarnings("NullAway.Init") // set in the first tick of the game
        private BlockPhysics physics;

        private int ticks;
        private @Nullable Throwable failure;
        private float restedAt;
        private float highest;

        Walk(int height) {
            this.height = height;
        }

        private long crate() {
            return 100L + height;
        }

        @Override
        public void happened(BodyEvent event) {
            assertThat(event.userData()).isEqualTo(crate());
            happened.merge(event.kind(), 1, Integer::sum);
        }

        @Override
        public void change(BlockPhysics newPhysics) {
            physics = newPhysics;
            int[] heights = new int[256];
            Arrays.fill(heights, height);
            if (ticks == 0) {
                loads.add(physics.load(0, 9, heights));
                physics.add(crate(), 8.5, height + 1, 9 * 16 + 8.5);
            } else if (ticks == THROW_AT) {
                trues.add(physics.throwUp(crate(), 4));
            }
            if (ticks % TICKS_PER_CHUNK == 0) {
                int chunk = ticks / TICKS_PER_CHUNK;
                loads.add(physics.load(chunk, 0, heights));
                if (chunk >= KEPT_CHUNKS) {
                    trues.add(physics.unload(chunk - KEPT_CHUNKS, 0));
                }
            }
            ticks++;
        }

        @Override
        public void failed(Throwable cause) {
            assertThat(failure).as("told once").isNull();
            failure = cause;
        }

        @Override
        public void move(long entity, Vector3f position, Quaternionf rotation) {
            assertThat(entity).isEqualTo(crate());
            if (ticks <= THROW_AT) {
                restedAt = position.y;
            } else {
                highest = Math.max(highest, position.y);
            }
        }
    }

    @Test
    void shouldServeEightDimensionsOnTwoThreadsAndNeverWait() {
        PhysicsHost host =
                PhysicsHost.builder().threads(2).lockStep(BlockPhysics.RATE).start();
        List<Walk> walks = new ArrayList<>();
        try (BlockServer server = new BlockServer(host)) {
            for (int i = 0; i < DIMENSIONS; i++) {
                walks.add(new Walk(i + 1));
                server.open("dimension-" + i, walks.get(i), 1);
            }
            long physicsTicks = 0;
            for (int tick = 0; tick < GAME_TICKS; tick++) {
                server.tick();
                int ticks = tick % TICKS_PER_STALL == 1 ? STALL_TICKS : PHYSICS_TICKS;
                for (int i = 0; i < ticks; i++) {
                    host.tickAll();
                }
                physicsTicks += ticks;
            }
            assertThat(host.worlds())
                    .hasSize(DIMENSIONS)
                    .extracting(PhysicsService::lastPublishedTick)
                    .as("the game's stalls cost physics no tick")
                    .containsOnly(physicsTicks);
            assertThat(walks).hasSize(DIMENSIONS).allSatisfy(BlockServerTest::assertAllCameThrough);
        }
        assertThat(walks)
                .extracting(walk -> walk.physics.simulation.world().getNumBodies())
                .as("chunks on the way, the crate and its ground, in Jolt")
                .containsOnly(KEPT_CHUNKS + 2);
    }

    /** The step hangs in Jolt, which has called back. Meanwhile the game's loop ticks on. */
    @Test
    void shouldFailOnlyTheDimensionWhoseNativeStepHangs() {
        CountDownLatch inStep = new CountDownLatch(1);
        CountDownLatch letGo = new CountDownLatch(1);
        PhysicsHost host = PhysicsHost.builder()
                .threads(2)
                .lockStep(BlockPhysics.RATE)
                .watchdog(BlockServer.WATCHDOG_MILLIS)
                .start();
        Walk hangs = new Walk(1);
        Walk other = new Walk(2);
        try (BlockServer server = new BlockServer(host)) {
            server.open("nether", hangs, 1);
            server.open("overworld", other, 1);
            server.tick();
            CustomPhysicsStepListener hanging = new CustomPhysicsStepListener() {
                @Override
                public void onStep(long context) {
                    inStep.countDown();
                    Await.open(letGo);
                }
            };
            var unused = hangs.physics.physics.execute(
                    tick -> hangs.physics.simulation.world().addStepListener(hanging));
            CompletableFuture<Void> time = CompletableFuture.runAsync(host::tickAll);
            Await.open(inStep);
            server.tick();
            time.join(); // ends because the watchdog fails the hanging dimension
            Await.until(() -> {
                server.tick();
                return hangs.failure != null;
            });
            assertThat(hangs.failure)
                    .isInstanceOf(HungSimulationException.class)
                    .hasStackTraceContaining("PhysicsSystem.update");
            int ticksOfHung = hangs.ticks;
            server.tick();
            host.tickAll();
            assertThat(hangs.ticks).isEqualTo(ticksOfHung);
            assertThat(host.worlds()).extracting(PhysicsService::name).containsExactly("overworld");
            assertThat(host.worlds().get(0).lastPublishedTick()).isEqualTo(2);
            letGo.countDown(); // else the close of the host waits for the thread for 5 s
        }
    }

    /** By the clock: the game's loop stalls until physics has ticked on without it. */
    @Test
    void shouldTickOnWhileTheGameStalls() {
        Walk walk = new Walk(1);
        try (BlockServer server = BlockServer.start()) {
            server.open("overworld", walk, 4);
            server.tick();
            Await.until(() -> walk.physics.physics.command(tick -> tick).join().tick() > STALL_TICKS);
            server.tick();
            assertThat(walk.loads).hasSize(2).noneMatch(load -> load.join().value());
            assertThat(walk.happened.get(BodyEvent.Kind.SPAWNED)).isEqualTo(1);
        }
    }

    private static void assertAllCameThrough(Walk walk) {
        int chunks = GAME_TICKS / TICKS_PER_CHUNK;
        assertThat(walk.loads)
                .as("whether there was a ground before")
                .hasSize(1 + chunks)
                .noneMatch(load -> load.join().value());
        assertThat(walk.trues)
                .as("throws and unloads")
                .hasSize(1 + chunks - KEPT_CHUNKS)
                .allMatch(done -> done.join().value());
        assertThat(walk.happened.get(BodyEvent.Kind.SPAWNED)).isEqualTo(1);
        assertThat(walk.happened.get(BodyEvent.Kind.CONTACT_BEGAN))
                .as("landings")
                .isGreaterThan(1);
        assertThat(walk.restedAt).isCloseTo(walk.height + 0.5f, within(0.05f));
        assertThat(walk.highest).isGreaterThan(walk.height + 1f);
    }
}
