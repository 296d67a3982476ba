package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BroadPhaseLayerFilter;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.RRayCast;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.RayCastResult;
import com.github.stephengold.joltjni.SpecifiedObjectLayerFilter;
import com.github.stephengold.joltjni.SphereShape;
import com.github.stephengold.joltjni.Vec3;
import com.github.stephengold.joltjni.enumerate.EActivation;
import dev.escapement.render.FrameView;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.ShownWorld;
import dev.escapement.state.snapshot.WritableSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** Tests that queries hit the bodies of a moment at its poses. */
@NullMarked
class JoltQueryWorldTest extends QueriedWorld {

    private static final int RAYS = 100;

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
        for (int i = 80; i >= 0; i -= 7) { // repeats some of these ticks
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

    /** Returns the lengths of many rays, which are the same for a tick. */
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
    void shouldPlaceBodiesAsAViewBlendsThem() {
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
            queries.at(history.at(view.clock().tick(), view.clock().alpha())); // the server queries the client's moment
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
        int engineId = hit.getBodyId();
        queries.at(history.at(gone, 0));
        assertThat(castDown(queries.system(), 0)).as("no more").isCloseTo(20, within(1e-3f));
        queries.at(now());
        assertThat(castDown(queries.system(), 0)).isCloseTo(11.5f, within(0.1f));
        assertThat(hitBody(queries)).isEqualTo(simulation.idOf(next));
        assertThat(queries.bodyId(engineId)).as("its place is taken").isZero();
        queries.at(history.at(gone - 1, 0)); // back to an earlier moment
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
    void shouldHitLaterStaticBodiesOnlyWhileAttached() {
        Body wall = game.addFixed(0, 5, 0, 0, 0.5, 0.5);
        JoltQueryWorld queries = queries();
        ticks(3);
        assertThat(castDown(queries.system(), 0)).as("before the first moment").isEqualTo(NO_HIT);
        queries.at(now());
        assertThat(castDown(queries.system(), 0)).isCloseTo(14.5f, within(1e-3f));
        assertThat(hitBody(queries)).as("not attached").isZero();
        int bodies = queries.system().getNumBodies();
        simulation.attach(wall, 7);
        tick();
        long attached = history.newestTick();
        long id = simulation.idOf(wall);
        queries.at(now());
        assertThat(castDown(queries.system(), 0)).isCloseTo(14.5f, within(1e-3f));
        assertThat(hitBody(queries)).isEqualTo(id);
        simulation.detach(wall);
        game.remove(wall);
        tick();
        queries.at(now());
        assertThat(castDown(queries.system(), 0)).as("no more").isCloseTo(20, within(1e-3f));
        queries.at(history.at(attached - 1, 0.5f)); // back to an earlier moment
        assertThat(castDown(queries.system(), 0)).as("not attached then").isCloseTo(20, within(1e-3f));
        queries.at(history.at(attached, 0));
        assertThat(castDown(queries.system(), 0)).isCloseTo(14.5f, within(1e-3f));
        assertThat(hitBody(queries)).isEqualTo(id);
        ticks(PAST_TICKS + 2);
        queries.at(now());
        assertThat(queries.system().getNumBodies()).as("the floor").isEqualTo(bodies - 1);
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
    void shouldMeasurePosesFromTheOriginOfTheMoment() {
        attach(0, 5);
        JoltQueryWorld queries = queries();
        ticks(3);
        WritableSnapshot elsewhere = new WritableSnapshot(0, PoseLayout.PLAIN);
        history.read(history.newestTick(), elsewhere);
        elsewhere.origin(10, 2, 0);
        Interpolator moment = new Interpolator(Interpolation.DEFAULT);
        WritableSnapshot before = new WritableSnapshot(0, PoseLayout.PLAIN);
        history.read(history.newestTick() - 1, before);
        moment.show(before, elsewhere, 1);
        queries.at(moment);
        assertThat(castDown(queries.system(), 10)).isCloseTo(12.5f, within(0.1f));
        assertThat(castDown(queries.system(), 0)).isCloseTo(20, within(1e-3f));
    }
}
