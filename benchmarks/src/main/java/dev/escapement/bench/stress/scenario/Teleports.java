package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.JumpingWorld;
import dev.escapement.bench.stress.world.Promises;
import dev.escapement.bench.stress.world.WatchedService;
import dev.escapement.render.FrameView;
import dev.escapement.state.snapshot.PoseBlock;
import java.util.Set;

/** Bodies that jump, or go round a world that wraps around, watched as they are drawn: nobody may be seen on the way. */
final class Teleports implements Scenario {

    private static final int BODIES = 300;
    private static final long FPS = 144;
    private static final long DRAWN_FPS = 330; // several times within a tick

    @Override
    public String name() {
        return "teleports";
    }

    @Override
    public String says() {
        return "150 bodies jump a kilometre every fifth tick, 150 go round a ring of 12 ticks, and are drawn";
    }

    @Override
    public Set<Promise> promises() {
        return Promises.ofReaders(Promise.ACCOUNTED, Promise.NEVER_ON_THE_WAY, Promise.MOVES_ON);
    }

    @Override
    public void run(Trial trial) {
        JumpingWorld world = new JumpingWorld(trial, BODIES);
        try (WatchedService service = WatchedService.start(trial, world, builder -> builder.maxReaders(2))) {
            service.readBy(world, FPS);
            service.drawBy(view -> check(trial, world, view), DRAWN_FPS);
            service.awaitEnd();
        }
    }

    private static void check(Trial trial, JumpingWorld world, FrameView view) {
        long simNanos = view.clock().shownSimNanos();
        int jumpingElsewhere = 0;
        int roundElsewhere = 0;
        for (int body = 0; body < world.bodies(); body++) {
            PoseBlock drawn = view.interpolator().block(body >>> PoseBlock.SHIFT);
            if (!JumpingWorld.isDrawnRightly(drawn, simNanos, body)) {
                roundElsewhere += JumpingWorld.goesRound(body) ? 1 : 0;
                jumpingElsewhere += JumpingWorld.goesRound(body) ? 0 : 1;
            }
        }
        check(trial, Promise.NEVER_ON_THE_WAY, jumpingElsewhere, simNanos);
        check(trial, Promise.MOVES_ON, roundElsewhere, simNanos);
    }

    private static void check(Trial trial, Promise promise, int elsewhere, long simNanos) {
        trial.check(promise)
                .that(
                        elsewhere == 0,
                        () -> elsewhere + " bodies were drawn elsewhere, " + simNanos + " ns after the start");
    }
}
