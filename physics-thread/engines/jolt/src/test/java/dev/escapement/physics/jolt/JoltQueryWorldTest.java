package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BoxShape;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.RRayCast;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.RayCastResult;
import com.github.stephengold.joltjni.Shape;
import com.github.stephengold.joltjni.ShapeRef;
import com.github.stephengold.joltjni.SphereShape;
import com.github.stephengold.joltjni.Vec3;
import com.github.stephengold.joltjni.enumerate.EActivation;
import com.github.stephengold.joltjni.readonly.ConstShape;
import dev.escapement.physics.world.ExistingWorldFixture;
import dev.escapement.render.FrameView;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.render.tools.History;
import dev.escapement.state.Logged;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.ShownWorld;
import dev.escapement.state.snapshot.WritableSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class JoltQueryWorldTest extends ExistingWorldFixture<PhysicsSystem, Body> implements JoltContractsTest.Worlds {

    private static final int PAST_TICKS = 100;
    private static final int RAYS = 100;
    private static final float NO_HIT = Float.POSITIVE_INFINITY;

    private final History history = new History(PAST_TICKS + 1, 1 << 24);
    private final List<JoltQueryWorld> open = new ArrayList<>();
    private RayCastResult hit;

    @BeforeEach
    void openHit() {
        hit = new RayCastResult(); // after the game has loaded the native library
    }

    @AfterEach
    void closeQueries() {
        open.forEach(JoltQueryWorld::close);
    }

    private JoltQueryWorld queries() {
        return queries(PAST_TICKS);
    }

    private JoltQueryWorld queries(int pastTicks) {
        JoltQueryWorld queries = JoltQueryWorld.of((JoltWorldSimulation) simulation, pastTicks);
        open.add(queries);
        return queries;
    }

    private Body attach(double x, double y) {
        return attach(game.addBox(x, y), 7);
    }

    private void tick() {
        tick(1);
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

    private void reshape(Body box, ConstShape shape) {
        ((JoltGameWorld) game).bodyInterface().setShape(box.getId(), shape, false, EActivation.Activate);
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
        for (int i = 80; i >= 0; i -= 7) { // repeats some of these ticks
            assertSameHits(queries, history.at(before + 1 + i, 0), expected.get(i));
        }
    }

    private void assertSameHits(JoltQueryWorld queries, ShownWorld moment, float[] truth) {
        queries.at(moment);
        float[] found = castMany(queries.system(), moment.shown().tick());
        int bodies = 0;
        for (int i = 0; i < truth.length; i++) {
            assertThat(found[i]).isCloseTo(truth[i], within(1e-3f));
            bodies += truth[i] < 9.9f ? 1 : 0; // hits above the floor
        }
        assertThat(bodies).isGreaterThan(RAYS / 3);
    }

    /** Returns the lengths of many rays. For the same tick it casts the same rays. */
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
        queries.at(history.at(first, 0)); // back to an earlier moment
        assertThat(castDown(queries.system(), 0)).isCloseTo(14.5f, within(0.1f));
        assertThat(hitBody(queries)).isEqualTo(id);
    }

    @Test
    void shouldFollowShapesFromTheTickInWhichTheyChange() {
        Body box = attach(0, 5);
        JoltQueryWorld queries = queries();
        ticks(3);
        reshape(box, new SphereShape(2));
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
        PhysicsSystem system = queries().system();
        assertThat(JoltCalls.pairFilter(system)).isSameAs(JoltCalls.pairFilter(game.world()));
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

    @Test
    void shouldCountBodiesThatMoveAndAreNotAttached() {
        try (Logged logged = new Logged("physics")) {
            attach(0, 5);
            queries();
            assertThat(logged.records).isEmpty();
            game.addBox(3, 4);
            game.addPlatform(20, 6);
            JoltQueryWorld queries = queries();
            assertThat(logged.records)
                    .singleElement()
                    .extracting(LogRecord::getMessage)
                    .asString()
                    .contains("will not hit 2 bodies", "Attach bodies that move");
            ticks(3);
            queries.at(now());
            assertThat(castDown(queries.system(), 3)).isCloseTo(20, within(1e-3f));
        }
    }

    @Test
    void shouldLetGoOfEveryShape() {
        Shape counted = new BoxShape(1, 1, 1);
        Body box = attach(0, 5);
        reshape(box, counted);
        int before = counted.getRefCount();
        JoltQueryWorld queries = JoltQueryWorld.of((JoltWorldSimulation) simulation, PAST_TICKS);
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
        tick(); // the physics thread notices that the feed is closed
        assertThat(counted.getRefCount()).isEqualTo(before);
        queries.close();
        assertThatIllegalStateException()
                .isThrownBy(() -> queries.at(now()))
                .withMessageContaining("query world was closed");
        assertThatIllegalStateException().isThrownBy(queries::system).withMessageContaining("was closed");
    }

    @Test
    void shouldFreeBodiesThatNoMomentCanShow() {
        ShapeRef kept = new BoxShape(1, 1, 1).toRef();
        Shape shape = kept.getPtr();
        JoltQueryWorld queries = queries(5);
        ticks(3);
        int before = shape.getRefCount();
        for (int i = 0; i < 100; i++) {
            Body box = attach(0, 5);
            reshape(box, shape);
            tick();
            queries.at(now());
            simulation.detach(box);
            game.remove(box);
        }
        assertThat(shape.getRefCount() - before).isBetween(1, 15);
        assertThat(castDown(queries.system(), 0)).isCloseTo(14, within(0.1f));
        for (int i = 0; i < 7; i++) { // no other body takes the slot
            tick();
            queries.at(now());
        }
        assertThat(shape.getRefCount()).isEqualTo(before);
        kept.close();
    }

    @Test
    void shouldFreeShapesThatNoMomentCanShow() {
        ShapeRef kept = new BoxShape(1, 1, 1).toRef();
        Shape shape = kept.getPtr();
        Body box = attach(0, 5);
        JoltQueryWorld queries = queries(5);
        ticks(3);
        int before = shape.getRefCount();
        reshape(box, shape);
        simulation.reshaped(box);
        tick();
        queries.at(now());
        reshape(box, new BoxShape(2, 2, 2));
        simulation.reshaped(box);
        for (int i = 0; i < 5; i++) {
            tick();
            queries.at(now());
            assertThat(shape.getRefCount()).as("can be shown").isEqualTo(before + 1);
            if (i == 3) {
                simulation.reshaped(box); // replaces the first replacement, too
            }
        }
        tick();
        queries.at(now());
        assertThat(shape.getRefCount()).isEqualTo(before);
        kept.close();
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
        JoltQueryWorld queries = queries();
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
