package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.PhysicsService;
import dev.escapement.render.FrameView;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.Snapshot;

/** An engine that blows up now and then: for some ticks, every seventh body has a pose that is not finite. */
final class NanBursts extends PredictableWorld {

    private static final int BODIES = 700;
    private static final int PERIOD_TICKS = 25;
    private static final int FIRST = 3; // so that the shortest run has a burst
    private static final int BURST_TICKS = 10;
    private static final int EVERY = 7;
    private static final int PLACES = 1 << 16;
    private static final float[] FAULTS = {Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY};

    /** How many poses were not finite. Physics thread, or after its end. */
    private long faults;

    private NanBursts() {
        super(BODIES);
    }

    static Scenario scenario() {
        return new Scenario(
                "nan-bursts",
                "a seventh of 700 bodies is at NaN or infinity for 10 of 25 ticks, and drawn",
                CheckingReader.promises(Promise.ACCOUNTED, Promise.QUARANTINED, Promise.FINITE),
                trial -> {
                    NanBursts world = new NanBursts();
                    PhysicsService closed = WatchedService.run(
                            trial,
                            world,
                            builder -> builder.maxReaders(2),
                            service -> service.drawBy(view -> checkFinite(trial, view), WatchedService.FPS));
                    long counted = closed.quarantinedPoses() + (trial.isPlanted(Promise.QUARANTINED) ? 1 : 0);
                    trial.check(Promise.QUARANTINED)
                            .that(
                                    counted == world.faults,
                                    () -> counted + " were counted, " + world.faults + " were faulty");
                });
    }

    private static void checkFinite(Trial trial, FrameView view) {
        if (trial.isPlanted(Promise.FINITE)) { // as if nothing replaced what the engine says
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

    @Override
    void write(long now, int body, PoseWriter poses) {
        float place = place(now, body);
        float x = place;
        float w = 1;
        if (isFaulty(now, body)) {
            float fault = FAULTS[(int) (now % FAULTS.length)];
            x = body % 2 == 0 ? fault : place;
            w = body % 2 == 0 ? 1 : fault;
            faults++;
        }
        poses.set(body, x, place + 1, 0, 0, 0, 0, w);
    }

    @Override
    boolean stands(Snapshot snapshot, int body, PoseBlock block, int i) {
        long tick = snapshot.tick();
        boolean faulty = isFaulty(tick, body);
        float place = place(faulty ? tick - tick % PERIOD_TICKS + FIRST - 1 : tick, body); // the last that was finite
        return block.px[i] == place
                && block.py[i] == place + 1
                && block.qw[i] == 1
                && snapshot.bodies().isQuarantined(body) == faulty;
    }

    private static boolean isFaulty(long tick, int body) {
        long phase = tick % PERIOD_TICKS;
        return phase >= FIRST && phase < FIRST + BURST_TICKS && body % EVERY == 0;
    }

    private static float place(long tick, int body) {
        return Math.floorMod(tick * 31 + body, PLACES);
    }
}
