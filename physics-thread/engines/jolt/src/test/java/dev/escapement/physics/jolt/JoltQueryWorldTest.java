package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BoxShape;
import com.github.stephengold.joltjni.BroadPhaseLayerFilter;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.RRayCast;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.RayCastResult;
import com.github.stephengold.joltjni.Shape;
import com.github.stephengold.joltjni.SpecifiedObjectLayerFilter;
import com.github.stephengold.joltjni.SphereShape;
import com.github.stephengold.joltjni.Vec3;
import com.github.stephengold.joltjni.enumerate.EActivation;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.FrameView;
import dev.escapement.render.History;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.ShownWorld;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.logging.Logger;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Queries of the past and present of a Jolt world, on another thread than that which ticks. */
@NullMarked
@SuppressWarnings("NullAway") // a null argument is what some tests are about
class JoltQueryWorldTest {

    private static final long TICK_NANOS = 10_000_000;
    private static final int PAST_TICKS = 100;
    private static final int RAYS = 100;
    private static final float NO_HIT = Float.POSITIVE_INFINITY;

    private final JoltGameWorld game = new JoltGameWorld();
    private final JoltWorldSimulation simulation = game.simulateWithoutContacts();
    private final ManualClock clock = new ManualClock(0);
    private final InlineDriver driver = PhysicsService.builder(simulation).inline(clock);
    private final SnapshotReader reader = driver.newReader();
    private final History history = new History(PAST_TICKS + 1, 1 << 24);
    private final List<JoltQueryWorld> open = new ArrayList<>();
    private RayCastResult hit = new RayCastResult();

    @AfterEach
    void close() {
        open.forEach(JoltQueryWorld::close);
        driver.close();
        game.close();
    }

    private JoltQueryWorld queries() {
        JoltQueryWorld queries = JoltQueryWorld.of(simulation, PAST_TICKS);
        open.add(queries);
        return queries;
    }

    private Body attach(double x, double y) {
        Body box = game.addBox(x, y);
        simulation.attach(box, 7);
        return box;
    }

    private void tick() {
        clock.advance(TICK_NANOS);
        assertThat(driver.runDueTicks()).isEqualTo(1);
        if (reader.acquire()) {
            history.add(reader.window());
        }
    }

    private void ticks(int count) {
        for (int i = 0; i < count; i++) {
            tick();
        }
    }

    private ShownWorld now() {
        return history.at(history.newestTick(), 0);
    }

    /** How far a ray goes until it hits, in metres. */
    private float cast(PhysicsSystem system, RVec3 from, Vec3 way) {
        hit.close();
        hit = new RayCastResult();
        try (RRayCast ray = new RRayCast(from, way)) {
            return system.getNarrowPhaseQueryNoLock().castRay(ray, hit) ? hit.getFraction() * way.length() : NO_HIT;
        }
    }

    /** Casts a ray of 20 m straight down from 20 m, over a floor at 0. */
    private float castDown(PhysicsSystem system, double x) {
        return cast(system, new RVec3(x, 20, 0), new Vec3(0, -20.5f, 0));
    }

    private long hitBody(JoltQueryWorld queries) {
        return queries.bodyId(hit.getBodyId());
    }

    @Test
    void shouldHitWhereTheStepedSystemDidInEveryTick() {
        for (int layer = 0; layer < 5; layer++) {
            for (int i = 0; i < 4; i++) {
                attach(1.1 * i - 2 + 0.2 * layer, 1 + 1.1 * layer); // a pile that falls to one side
            }
        }
        JoltQueryWorld queries = queries();
        List<float[]> expected = new ArrayList<>();
        ticks(3);
        long before = history.newestTick();
        for (int i = 0; i < 90; i++) {
            tick();
            float[] truth = castMany(game.world(), history.newestTick());
            expected.add(truth);
            assertSameHits(queries, now(), truth);
        }
        for (int i = 80; i >= 0; i -= 7) { // and some of these ticks again
            assertSameHits(queries, history.at(before + 1 + i, 0), expected.get(i));
        }
    }

    private void assertSameHits(JoltQueryWorld queries, ShownWorld moment, float[] truth) {
        queries.at(moment);
        float[] found = castMany(queries.system(), moment.shown().tick());
        int bodies = 0;
        for (int i = 0; i < truth.length; i++) {
            if (truth[i] == NO_HIT) {
                assertThat(found[i]).isEqualTo(NO_HIT);
            } else {
                assertThat(found[i]).isCloseTo(truth[i], within(1e-3f));
            }
            bodies += truth[i] < 9.9f ? 1 : 0; // above the floor
        }
        assertThat(bodies).isGreaterThan(RAYS / 3);
    }

    /** How far each of many rays goes, which are the same for a tick. */
    private float[] castMany(PhysicsSystem system, long tick) {
        Random random = new Random(tick);
        float[] ways = new float[RAYS];
        for (int i = 0; i < RAYS; i++) {
            RVec3 from = new RVec3(6 * random.nextDouble() - 3, 10, 2 * random.nextDouble() - 1);
            ways[i] = cast(system, from, new Vec3(random.nextFloat() - 0.5f, -10.4f, random.nextFloat() - 0.5f));
        }
        return ways;
    }

    @Test
    void shouldPlaceBodiesBetweenTwoTicksAsAViewBlendsThem() {
        Body box = attach(0, 5);
        game.setVelocity(box, 100, 0); // 1 m a tick
        JoltQueryWorld queries = queries();
        try (FrameView view = FrameView.inline(driver.newReader())) {
            ticks(4);
            clock.advance(TICK_NANOS / 4);
            assertThat(view.advance(clock.nanoTime())).isTrue();
            queries.at(view);
            long id = simulation.idOf(box);
            PoseBlock poses = view.poses().block(0);
            float x = poses.px[BodyId.slot(id)];
            assertThat(x).isCloseTo(3.25f, within(0.02f)); // 3 ticks and a quarter
            RVec3 from = new RVec3(x - 10, poses.py[BodyId.slot(id)], 0);
            assertThat(cast(queries.system(), from, new Vec3(30, 0, 0))).isCloseTo(9.5f, within(1e-3f));
            assertThat(hitBody(queries)).isEqualTo(id);
            queries.at(history.at(view.clock().tick(), view.clock().alpha())); // the server: what the client saw
            assertThat(cast(queries.system(), from, new Vec3(30, 0, 0))).isCloseTo(9.5f, within(1e-3f));
        }
    }

    @Test
    void shouldHitBodiesOnlyWhileTheyExisted() {
        JoltQueryWorld queries = queries();
        ticks(3);
        Body box = attach(0, 5);
        tick();
        long first = history.newestTick();
        long id = simulation.idOf(box);
        ticks(2);
        simulation.detach(box);
        game.remove(box);
        tick();
        long gone = history.newestTick();
        Body next = attach(0, 8); // in the same slot, or another
        ticks(3);
        queries.at(history.at(first - 1, 0.99f));
        assertThat(castDown(queries.system(), 0)).as("not yet").isCloseTo(20, within(1e-3f));
        queries.at(history.at(first, 0));
        assertThat(castDown(queries.system(), 0)).isCloseTo(14.5f, within(0.1f));
        assertThat(hitBody(queries)).isEqualTo(id);
        assertThat(queries.engineId(id)).isEqualTo(hit.getBodyId());
        queries.at(history.at(gone, 0));
        assertThat(castDown(queries.system(), 0)).as("no more").isCloseTo(20, within(1e-3f));
        assertThatThrownBy(() -> queries.engineId(id)).isInstanceOf(NoSuchElementException.class);
        queries.at(now());
        assertThat(castDown(queries.system(), 0)).isCloseTo(11.5f, within(0.1f));
        assertThat(hitBody(queries)).isEqualTo(simulation.idOf(next));
        queries.at(history.at(gone - 1, 0)); // and back
        assertThat(castDown(queries.system(), 0)).isCloseTo(14.5f, within(0.1f));
        assertThat(hitBody(queries)).isEqualTo(id);
    }

    @Test
    void shouldFollowShapesFromTheTickInWhichTheyChange() {
        Body box = attach(0, 5);
        JoltQueryWorld queries = queries();
        ticks(3);
        game.bodyInterface().setShape(box.getId(), new SphereShape(2), false, EActivation.Activate);
        simulation.reshaped(box);
        tick();
        long changed = history.newestTick();
        tick();
        float y = box.getPosition().y();
        queries.at(now());
        assertThat(castDown(queries.system(), 0)).isCloseTo(20 - y - 2, within(1e-3f));
        queries.at(history.at(changed - 1, 0.5f));
        assertThat(castDown(queries.system(), 0)).isCloseTo(20 - y - 0.5f, within(0.05f));
        queries.at(history.at(changed, 0));
        assertThat(castDown(queries.system(), 0)).isCloseTo(20 - y - 2, within(0.05f));
        assertThat(hitBody(queries)).isEqualTo(simulation.idOf(box));
    }

    @Test
    void shouldHitStaticBodiesOfTheSystemAlthoughTheyHaveNoId() {
        JoltQueryWorld queries = queries();
        ticks(3);
        assertThat(castDown(queries.system(), 0)).as("before the first moment").isEqualTo(NO_HIT);
        queries.at(now());
        assertThat(castDown(queries.system(), 0)).isCloseTo(20, within(1e-3f));
        assertThat(hitBody(queries)).isZero();
        assertThat(queries.bodyId(0x7F_FFFF)).isZero();
    }

    @Test
    void shouldAskTheSystemsLayers() {
        attach(0, 5);
        JoltQueryWorld queries = queries();
        ticks(3);
        queries.at(now());
        PhysicsSystem system = queries.system();
        try (RRayCast ray = new RRayCast(new RVec3(0, 20, 0), new Vec3(0, -20.5f, 0));
                var floorOnly = new SpecifiedObjectLayerFilter(0);
                var anyTree = new BroadPhaseLayerFilter()) {
            hit.close();
            hit = new RayCastResult();
            assertThat(system.getNarrowPhaseQueryNoLock().castRay(ray, hit, anyTree, floorOnly))
                    .isTrue();
            assertThat(hitBody(queries)).as("through the box").isZero();
        }
        assertThat(system.getOvoFilter()).isSameAs(game.world().getOvoFilter());
        assertThat(system.getBroadPhaseLayerInterface()).isSameAs(game.world().getBroadPhaseLayerInterface());
    }

    @Test
    void shouldRebuildTheTreeOnlyIfSomethingMoved() {
        Body box = attach(0, 0.5);
        JoltQueryWorld queries = queries();
        ticks(200);
        assertThat(box.isActive()).isFalse();
        queries.at(now());
        long rebuilds = queries.rebuilds();
        assertThat(rebuilds).isEqualTo(1);
        tick();
        queries.at(now());
        queries.at(now());
        assertThat(queries.rebuilds()).isEqualTo(rebuilds);
        game.bodyInterface().activateBody(box.getId());
        game.setVelocity(box, 3, 3);
        tick();
        queries.at(now());
        assertThat(queries.rebuilds()).isEqualTo(rebuilds + 1);
    }

    @Test
    void shouldNameBodiesThatMoveAndAreNotAttached() {
        List<String> logged = new ArrayList<>();
        Logger logger = Logger.getLogger("dev.escapement.physics");
        logger.setFilter(record -> {
            logged.add(record.getMessage());
            return false;
        });
        try {
            attach(0, 5);
            queries();
            assertThat(logged).isEmpty();
            game.addBox(3, 4).setUserData(99);
            game.addPlatform(20, 6);
            JoltQueryWorld queries = queries();
            assertThat(logged).hasSize(1);
            assertThat(logged.get(0))
                    .contains(
                            "will not hit 2 bodies",
                            "dynamic body",
                            "(layer 1, user data 99) at 3.0, 4.0, 0.0 m",
                            "kinematic body",
                            "at 20.0, 6.0, 0.0 m",
                            "attach bodies that move");
            ticks(3);
            queries.at(now());
            assertThat(castDown(queries.system(), 3)).isCloseTo(20, within(1e-3f));
        } finally {
            logger.setFilter(null);
        }
    }

    @Test
    void shouldLetGoOfEveryShape() {
        BoxShape shape = new BoxShape(1, 1, 1);
        Body box = attach(0, 5);
        game.bodyInterface().setShape(box.getId(), shape, false, EActivation.Activate);
        Shape counted = shape;
        int before = counted.getRefCount();
        JoltQueryWorld queries = JoltQueryWorld.of(simulation, PAST_TICKS);
        ticks(3);
        assertThat(counted.getRefCount()).as("offered").isEqualTo(before + 1);
        queries.at(now());
        assertThat(counted.getRefCount()).as("and placed").isEqualTo(before + 2);
        simulation.reshaped(box);
        tick();
        assertThat(counted.getRefCount()).as("and offered again").isEqualTo(before + 3);
        queries.close();
        assertThat(counted.getRefCount()).isEqualTo(before);
        simulation.reshaped(box);
        tick(); // the physics thread notices
        assertThat(counted.getRefCount()).isEqualTo(before);
        queries.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> queries.at(now()))
                .withMessageContaining("query world was closed");
        assertThatIllegalStateException().isThrownBy(queries::system).withMessageContaining("was closed");
    }

    @Test
    void shouldLetGoOfBodiesThatNoMomentCanShowAnyMore() {
        BoxShape shape = new BoxShape(1, 1, 1);
        JoltQueryWorld queries = JoltQueryWorld.of(simulation, 5);
        open.add(queries);
        ticks(3);
        int before = shape.getRefCount();
        for (int i = 0; i < 100; i++) {
            Body box = attach(0, 5);
            game.bodyInterface().setShape(box.getId(), shape, false, EActivation.Activate);
            tick();
            queries.at(now());
            simulation.detach(box);
            game.remove(box);
        }
        assertThat(shape.getRefCount() - before).isBetween(1, 15);
        assertThat(castDown(queries.system(), 0)).isCloseTo(14, within(0.1f));
    }

    @Test
    void shouldBelongToOneThread() {
        JoltQueryWorld queries = queries();
        ticks(3);
        queries.at(now());
        CompletableFuture<Void> other = CompletableFuture.runAsync(() -> queries.at(now()));
        assertThatThrownBy(other::join)
                .isInstanceOf(CompletionException.class)
                .hasMessageContaining("a query world belongs to one thread");
        assertThatThrownBy(CompletableFuture.runAsync(queries::close)::join)
                .hasMessageContaining("a query world belongs to one thread");
    }

    @Test
    void shouldRefuseWhatCannotBeAsked() {
        JoltQueryWorld queries = queries();
        assertThatNullPointerException()
                .isThrownBy(() -> queries.at(null))
                .withMessageStartingWith("moment must not be null");
        assertThatNullPointerException()
                .isThrownBy(() -> JoltQueryWorld.of(null, 0))
                .withMessageStartingWith("simulation must not be null");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> JoltQueryWorld.of(simulation, -1))
                .withMessageContaining("0 or more, but is -1");
        attach(0, 5);
        ticks(PAST_TICKS + 20);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> history.at(3, 0.5f))
                .withMessageContaining("tick 3 + 0.5 needs ticks 3 and 4, but kept are 101 of 20 to 120");
        queries.at(now());
        assertThat(cast(queries.system(), new RVec3(Double.NaN, 20, 0), new Vec3(0, -20.5f, 0)))
                .isEqualTo(NO_HIT);
        assertThat(castDown(queries.system(), 0)).isNotEqualTo(NO_HIT);
    }

    @Test
    void shouldSayThatItWasNotAskedForTooLong() {
        JoltQueryWorld queries = queries();
        Body box = attach(0, 5);
        for (int i = 0; i < 2048 + 2; i++) {
            simulation.reshaped(box);
            tick();
        }
        assertThatIllegalStateException()
                .isThrownBy(() -> queries.at(now()))
                .withMessageContaining("more than 2000 bodies came");
    }

    @Test
    void shouldOutliveTheServiceButNotTheLayers() {
        attach(0, 5);
        JoltQueryWorld queries = JoltQueryWorld.of(simulation, PAST_TICKS);
        open.add(queries);
        ticks(3);
        driver.close();
        queries.at(now());
        assertThat(castDown(queries.system(), 0)).isCloseTo(14.5f, within(0.1f));
        game.close();
        assertThat(castDown(queries.system(), 0)).isCloseTo(14.5f, within(0.1f));
        assertThatIllegalStateException()
                .isThrownBy(() -> queries.at(now()))
                .withMessageContaining("has freed the layers");
    }
}
