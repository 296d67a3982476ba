package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.render.FrameView;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;

/**
 * Jumping bodies, checked as they are drawn: none may be drawn on the way. They move a metre a tick, each with its own times to jump.
 * Bodies in even slots jump a long way instead of moving. Bodies in odd slots move round a ring, whose end is its start: they jump back by
 * its length while they keep moving.
 *
 * <p>All move along a diagonal, so that mixed-up axes are found.
 */
final class Teleports extends PredictableWorld {

    private static final int BODIES = 300;
    private static final long FPS = 330; // several times within a tick
    private static final long PERIOD_NANOS = 10_000_000;
    private static final int JUMP_EVERY = 5;
    private static final int JUMP_METRES = 1_000;
    private static final int JUMPS = 16;
    private static final int RING_METRES = 12;

    private final Trial trial;

    /** A world that ticks at 100 Hz. Does not report jumps if the trial is to break the promises about them. */
    private Teleports(Trial trial) {
        super(BODIES);
        this.trial = trial;
    }

    static Scenario scenario() {
        return new Scenario(
                "teleports",
                "150 bodies jump a kilometre every fifth tick, 150 go round a ring of 12 ticks, and are drawn",
                CheckingReader.promises(Promise.ACCOUNTED, Promise.NEVER_ON_THE_WAY, Promise.MOVES_ON),
                trial -> WatchedService.run(
                        trial,
                        new Teleports(trial),
                        builder -> builder.maxReaders(2),
                        service -> service.drawBy(view -> checkDrawn(trial, view), FPS)));
    }

    private static void checkDrawn(Trial trial, FrameView view) {
        long simNanos = view.clock().shownSimNanos();
        int jumpingElsewhere = 0;
        int roundElsewhere = 0;
        for (int body = 0; body < BODIES; body++) {
            PoseBlock drawn = view.interpolator().block(body >>> PoseBlock.SHIFT);
            // The library blends between whole numbers, so that it rounds twice: the part of the tick to 2^-25 and the
            // sum to half a unit in its last place. Together that is less than one unit of the farthest place.
            if (!isAt(drawn, body & PoseBlock.MASK, drawnPlace(simNanos, body), Math.ulp(farthest(body)))) {
                roundElsewhere += goesRound(body) ? 1 : 0;
                jumpingElsewhere += goesRound(body) ? 0 : 1;
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

    @Override
    void write(long now, int body, PoseWriter poses) {
        float place = place(now, body);
        poses.set(body, place, -place, 2 * place, 0, 0, 0, 1);
        if (!jumps(now, body) || trial.isPlanted(goesRound(body) ? Promise.MOVES_ON : Promise.NEVER_ON_THE_WAY)) {
            return;
        }
        if (goesRound(body)) {
            poses.teleportBy(body, -RING_METRES, RING_METRES, -2 * RING_METRES);
        } else {
            poses.teleport(body);
        }
    }

    @Override
    boolean stands(Snapshot snapshot, int body, PoseBlock block, int i) {
        return isAt(block, i, place(snapshot.tick(), body), 0);
    }

    private static boolean isAt(PoseBlock block, int i, double place, double error) {
        float x = block.px[i];
        // Changing the sign and doubling are exact.
        return Math.abs(x - place) <= error && block.py[i] == -x && block.pz[i] == 2 * x;
    }

    private static double drawnPlace(long simNanos, int body) {
        long nextTick = -Math.floorDiv(-simNanos, PERIOD_NANOS);
        long restNanos = nextTick * PERIOD_NANOS - simNanos;
        if (restNanos > 0 && jumps(nextTick, body) && !goesRound(body)) {
            return place(nextTick - 1, body);
        }
        return place(nextTick, body) - (double) restNanos / PERIOD_NANOS;
    }

    private static boolean jumps(long tick, int body) {
        return Math.floorMod(tick + body, goesRound(body) ? RING_METRES : JUMP_EVERY) == 0;
    }

    /** Forward by a metre a tick, by a thousand metres at a jump, and at some jumps back to the start; or round the ring. */
    private static float place(long tick, int body) {
        if (goesRound(body)) {
            return Math.floorMod(tick + body, RING_METRES);
        }
        long jumps = Math.floorDiv(tick + body, JUMP_EVERY);
        return Math.floorMod(jumps, JUMPS) * JUMP_METRES + Math.floorMod(tick + body, JUMP_EVERY);
    }

    private static float farthest(int body) {
        return goesRound(body) ? RING_METRES : JUMPS * JUMP_METRES;
    }

    /** Whether a body moves round the ring, and so moves while it jumps. */
    private static boolean goesRound(int body) {
        return body % 2 != 0;
    }
}
