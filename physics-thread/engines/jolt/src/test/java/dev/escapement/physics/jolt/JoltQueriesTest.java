package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BoxShape;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.Shape;
import com.github.stephengold.joltjni.ShapeRef;
import com.github.stephengold.joltjni.enumerate.EActivation;
import com.github.stephengold.joltjni.readonly.ConstShape;
import dev.escapement.physics.query.QueryFilter;
import dev.escapement.physics.query.QueryHits;
import dev.escapement.physics.query.QueryWorld;
import dev.escapement.physics.world.ExistingWorldFixture;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.render.interpolation.Interpolator;
import dev.escapement.render.tools.History;
import dev.escapement.state.Logged;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.ShownWorld;
import dev.escapement.state.snapshot.WritableSnapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.LogRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JoltQueriesTest extends ExistingWorldFixture<PhysicsSystem, Body> implements JoltContractsTest.Worlds {

    private static final int PAST_TICKS = 100;

    private final History history = new History(PAST_TICKS + 1, 1 << 24);
    private final List<QueryWorld> open = new ArrayList<>();
    private final QueryHits hits = new QueryHits();

    @AfterEach
    void closeQueries() {
        open.forEach(QueryWorld::close);
    }

    private QueryWorld queries() {
        return queries(PAST_TICKS);
    }

    private QueryWorld queries(int pastTicks) {
        QueryWorld queries = simulation.queryWorld(pastTicks);
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

    /** Casts a ray straight down from 20 m, over a floor at 0. Returns its length. */
    private float castDown(QueryWorld queries, double x) {
        assertThat(queries.ray(x, 20, 0, 0, -20.5, 0, QueryFilter.ALL, hits)).isTrue();
        return 20.5f * hits.fraction(0);
    }

    private void reshape(Body box, ConstShape shape) {
        ((JoltGameWorld) game).bodyInterface().setShape(box.getId(), shape, false, EActivation.Activate);
    }

    @Test
    void shouldMeasurePosesFromTheOriginOfTheMoment() {
        attach(0, 5);
        QueryWorld queries = queries();
        ticks(3);
        WritableSnapshot elsewhere = new WritableSnapshot(0, PoseLayout.PLAIN);
        history.read(history.newestTick(), elsewhere);
        elsewhere.origin(10, 2, 0);
        Interpolator moment = new Interpolator(Interpolation.DEFAULT);
        WritableSnapshot before = new WritableSnapshot(0, PoseLayout.PLAIN);
        history.read(history.newestTick() - 1, before);
        moment.show(before, elsewhere, 1);
        queries.at(moment);
        assertThat(castDown(queries, 10)).isCloseTo(12.5f, within(0.1f));
        assertThat(castDown(queries, 0)).isCloseTo(20, within(1e-3f));
    }

    @Test
    void shouldCountBodiesThatMoveAndAreNotAttached() {
        try (Logged logged = new Logged("physics")) {
            attach(0, 5);
            queries();
            assertThat(logged.records).isEmpty();
            game.addBox(3, 4);
            game.addPlatform(20, 6);
            QueryWorld queries = queries();
            assertThat(logged.records)
                    .singleElement()
                    .extracting(LogRecord::getMessage)
                    .asString()
                    .contains("will not hit 2 bodies", "Attach bodies that move");
            ticks(3);
            queries.at(now());
            assertThat(castDown(queries, 3)).isCloseTo(20, within(1e-3f));
        }
    }

    @Test
    void shouldLetGoOfEveryShape() {
        Shape counted = new BoxShape(1, 1, 1);
        Body box = attach(0, 5);
        reshape(box, counted);
        int before = counted.getRefCount();
        QueryWorld queries = simulation.queryWorld(PAST_TICKS);
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
        assertThatIllegalStateException().isThrownBy(() -> castDown(queries, 0)).withMessageContaining("was closed");
    }

    @Test
    void shouldFreeBodiesThatNoMomentCanShow() {
        ShapeRef kept = new BoxShape(1, 1, 1).toRef();
        Shape shape = kept.getPtr();
        QueryWorld queries = queries(5);
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
        assertThat(castDown(queries, 0)).isCloseTo(14, within(0.1f));
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
        QueryWorld queries = queries(5);
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
    void shouldOutliveTheServiceButNotTheLayers() {
        attach(0, 5);
        QueryWorld queries = queries();
        ticks(3);
        driver.close();
        queries.at(now());
        assertThat(castDown(queries, 0)).isCloseTo(14.5f, within(0.1f));
        game.close();
        assertThat(castDown(queries, 0)).isCloseTo(14.5f, within(0.1f));
        assertThatIllegalStateException()
                .isThrownBy(() -> queries.at(now()))
                .withMessageContaining("has freed the layers");
    }
}
