package dev.escapement.physics.jolt;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.PhysicsSystem;
import com.github.stephengold.joltjni.RRayCast;
import com.github.stephengold.joltjni.RVec3;
import com.github.stephengold.joltjni.RayCastResult;
import com.github.stephengold.joltjni.Vec3;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.tools.History;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.snapshot.ShownWorld;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.AfterEach;

/** A Jolt world with queries of its past and present, ticked by a manual clock. */
@NullMarked
abstract class QueriedWorld {

    static final long TICK_NANOS = 10_000_000;
    static final int PAST_TICKS = 100;
    static final float NO_HIT = Float.POSITIVE_INFINITY;

    final JoltGameWorld game = new JoltGameWorld();
    final JoltWorldSimulation simulation = game.simulateWithoutContacts();
    final ManualClock clock = new ManualClock(0);
    final InlineDriver driver = PhysicsService.builder(simulation).inline(clock);
    final SnapshotReader reader = driver.newReader();
    final History history = new History(PAST_TICKS + 1, 1 << 24);
    final List<JoltQueryWorld> open = new ArrayList<>();
    RayCastResult hit = new RayCastResult();

    @AfterEach
    void close() {
        open.forEach(JoltQueryWorld::close);
        driver.close();
        game.close();
    }

    JoltQueryWorld queries() {
        JoltQueryWorld queries = JoltQueryWorld.of(simulation, PAST_TICKS);
        open.add(queries);
        return queries;
    }

    Body attach(double x, double y) {
        Body box = game.addBox(x, y);
        simulation.attach(box, 7);
        return box;
    }

    void tick() {
        clock.advance(TICK_NANOS);
        assertThat(driver.runDueTicks()).isEqualTo(1);
        if (reader.acquire()) {
            history.add(reader.window());
        }
    }

    void ticks(int count) {
        for (int i = 0; i < count; i++) {
            tick();
        }
    }

    ShownWorld now() {
        return history.at(history.newestTick(), 0);
    }

    /** Returns the length of a ray until it hits, in metres. */
    float cast(PhysicsSystem system, RVec3 from, Vec3 way) {
        hit.close();
        hit = new RayCastResult();
        try (RRayCast ray = new RRayCast(from, way)) {
            return system.getNarrowPhaseQueryNoLock().castRay(ray, hit) ? hit.getFraction() * way.length() : NO_HIT;
        }
    }

    /** Casts a ray of 20 m straight down from 20 m, over a floor at 0. */
    float castDown(PhysicsSystem system, double x) {
        return cast(system, new RVec3(x, 20, 0), new Vec3(0, -20.5f, 0));
    }

    long hitBody(JoltQueryWorld queries) {
        return queries.bodyId(hit.getBodyId());
    }
}
