package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Check;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.JumpingWorld;
import dev.escapement.bench.stress.world.Patience;
import dev.escapement.bench.stress.world.Promises;
import dev.escapement.bench.stress.world.WatchedService;
import dev.escapement.bench.stress.world.Workers;
import dev.escapement.render.FrameView;
import dev.escapement.state.snapshot.PoseBlock;
import java.util.Set;

/** Bodies that jump every few ticks, watched as they are drawn: nobody may be seen on the way. */
final class Teleports implements Scenario {

    private static final int BODIES = 300;
    private static final long FPS = 144;
    private static final long FRAME_NANOS = 3_000_000;
    private static final int FEWEST_FRAMES = 20;

    @Override
    public String name() {
        return "teleports";
    }

    @Override
    public String says() {
        return "300 bodies jump a kilometre every fifth tick, and are drawn";
    }

    @Override
    public Set<Promise> promises() {
        return Promises.ofReaders(Promise.ACCOUNTED, Promise.NEVER_ON_THE_WAY);
    }

    @Override
    public void run(Trial trial) {
        JumpingWorld world = new JumpingWorld(BODIES);
        Check check = trial.check(Promise.NEVER_ON_THE_WAY);
        try (WatchedService service = WatchedService.start(trial, world, builder -> builder.maxReaders(2))) {
            FrameView view = FrameView.of(service.service().newReader()); // the worker's, from its first frame on
            service.readBy(world, FPS);
            Workers.during(
                    1,
                    unused -> {
                        if (view.advance(System.nanoTime())) {
                            check(trial, check, world, view);
                        }
                        Patience.pass(FRAME_NANOS);
                    },
                    () -> {
                        service.awaitEnd();
                        Patience.await(() -> check.hasSeen(FEWEST_FRAMES));
                    });
        }
    }

    private static void check(Trial trial, Check check, JumpingWorld world, FrameView view) {
        long tickBefore = view.shownTick() + (trial.isPlanted(Promise.NEVER_ON_THE_WAY) ? 1 : 0);
        int wrong = 0;
        for (int body = 0; body < world.bodies(); body++) {
            float x = view.interpolator().block(body >>> PoseBlock.SHIFT).px[body & PoseBlock.MASK];
            if (!world.mayBeSeen(x, tickBefore, body)) {
                wrong++;
            }
        }
        int seen = wrong;
        check.that(
                seen == 0,
                () -> seen + " bodies were seen elsewhere, between ticks " + tickBefore + " and " + (tickBefore + 1));
    }
}
