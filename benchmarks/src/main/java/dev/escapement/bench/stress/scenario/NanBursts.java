package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.FaultyPoses;
import dev.escapement.bench.stress.world.Promises;
import dev.escapement.bench.stress.world.WatchedService;
import dev.escapement.render.FrameView;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import java.util.Set;

/** An engine that blows up: bursts of poses that are not finite. */
final class NanBursts implements Scenario {

    private static final int BODIES = 700;
    private static final long FPS = 144;

    @Override
    public String name() {
        return "nan-bursts";
    }

    @Override
    public String says() {
        return "a seventh of 700 bodies is at NaN or infinity for 10 of 25 ticks, and drawn";
    }

    @Override
    public Set<Promise> promises() {
        return Promises.ofReaders(Promise.ACCOUNTED, Promise.QUARANTINED, Promise.FINITE);
    }

    @Override
    public void run(Trial trial) {
        FaultyPoses world = new FaultyPoses(BODIES);
        WatchedService service = WatchedService.start(trial, world, builder -> builder.maxReaders(2));
        try (service) {
            service.readBy(world, FPS);
            service.drawBy(view -> check(trial, view), FPS);
            service.awaitEnd();
        }
        long counted = service.service().quarantinedPoses() + (trial.isPlanted(Promise.QUARANTINED) ? 1 : 0);
        trial.check(Promise.QUARANTINED)
                .that(counted == world.faults(), () -> counted + " were counted, " + world.faults() + " were faulty");
    }

    private static void check(Trial trial, FrameView view) {
        if (trial.isPlanted(Promise.FINITE)) { // as if nothing were put in the place of what the engine says
            view.shown().poses().block(0).qz[0] = Float.NaN;
        }
        PoseBlocks drawn = view.poses();
        int finite = 0;
        for (int body = 0; body < drawn.slotCount(); body++) {
            finite += isFinite(drawn.blockOf(body), body & PoseBlock.MASK) ? 1 : 0;
        }
        int good = finite;
        trial.check(Promise.FINITE)
                .that(good == BODIES, () -> good + " of " + BODIES + " bodies were drawn at a finite pose");
    }

    private static boolean isFinite(PoseBlock block, int i) {
        return Float.isFinite(block.px[i])
                && Float.isFinite(block.py[i])
                && Float.isFinite(block.pz[i])
                && Float.isFinite(block.qx[i])
                && Float.isFinite(block.qy[i])
                && Float.isFinite(block.qz[i])
                && Float.isFinite(block.qw[i]);
    }
}
