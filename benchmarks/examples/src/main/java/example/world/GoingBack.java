package example.world;

import com.github.stephengold.joltjni.Body;
import com.github.stephengold.joltjni.BodyInterface;
import com.github.stephengold.joltjni.BoxShape;
import com.github.stephengold.joltjni.enumerate.EMotionType;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.replay.history.Rewound;
import dev.escapement.physics.replay.history.StateHistory;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.world.BodyRestorer;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.ManualClock;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** A Jolt world that seeks back, and tries what would happen next. */
final class GoingBack {

    private GoingBack() {}

    static PhysicsService start(JoltWorldSimulation simulation, StateHistory past) {
        return PhysicsService.builder(simulation).with(past).start();
    }

    static CompletableFuture<Rewound> back(PhysicsService physics, StateHistory past, int ticks) {
        return physics.query(now -> Math.max(0, now - ticks)).thenCompose(answer -> past.rewind(answer.value()));
    }

    static float heightAfter(int ticks, StateHistory past, long tick, Supplier<JoltWorldSimulation> madeAlike) {
        ManualClock clock = new ManualClock(0);
        try (InlineDriver fork = past.fork(tick, madeAlike).join().inline(clock);
                SnapshotReader reader = fork.newReader()) {
            for (int i = 0; i < ticks; i++) {
                clock.advance(10_000_000);
                fork.runDueTicks();
            }
            reader.acquire();
            return reader.window().newest().poses().block(0).py[1]; // the height of the body in slot 1
        }
    }

    /** Call this before start(). */
    static void restoreCrates(JoltWorldSimulation simulation) {
        BodyInterface bodies = simulation.world().getBodyInterface();
        simulation.restoreBodiesWith(new BodyRestorer<Body>() {
            @Override
            public Body restore(long engineId, long userData) { // userData was passed to attach
                return OwnJoltWorld.addBox(bodies, new BoxShape(0.5f), 0, 0, EMotionType.Dynamic); // gets engineId
            }

            @Override
            public void remove(Body body, long userData) {
                bodies.removeBody(body.getId());
                bodies.destroyBody(body.getId());
            }
        });
    }

    /** The score, for simulation.keep(score). */
    static final class Score implements Restorable {
        long goals;

        @Override
        public void save(StateBuffer to) {
            to.put(goals);
        }

        @Override
        public void restore(StateBuffer from) {
            goals = from.getLong();
        }
    }
}
