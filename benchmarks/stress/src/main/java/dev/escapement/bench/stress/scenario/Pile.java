package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.JoltPile;
import dev.escapement.bench.measure.Check;
import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.SkippedException;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Locale;

/**
 * A real engine: boxes that fall on a heap, in Jolt. There is no model of where they come to lie, but of where they can be, and of how they
 * can move from one tick to the next, with any engine, if nothing pushes them: checks {@link Promise#PLAUSIBLE}.
 *
 * <ul>
 *   <li>They stay above the floor that has room for the pile when it has fallen over, and sink into it by less than a tenth of their
 *       edge. None comes higher than the highest was at the start, for nothing lifts them.
 *   <li>The squared length of a rotation is 1 to 2e-6: a writer of poses does not normalise within 1e-6, and computes in floats.
 *   <li>They start at rest, do not bounce, and only falling makes them faster. The highest box, at {@code h}, would be at
 *       {@code sqrt(2 g h)} when it reaches the floor: none is faster than that.
 * </ul>
 */
final class Pile {

    private static final double GOOD_LOSS_PERCENT = 0.1;
    private static final double FAIR_LOSS_PERCENT = 2;
    private static final double SQUARED_LENGTH_ERROR = 2e-6;
    private static final double GRAVITY = 9.81;
    private static final double TICK_SECONDS = 0.01;
    private static final double LOWEST = 0.8 * BoxPile.HALF_EXTENT;
    private static final int NONE = -1;

    private final Trial trial;
    private final Check plausible;
    private final int boxes;
    private final double farthest;
    private final double highest;
    private final double longestStep;

    /** Bounds of a pile that starts so and ticks at 100 Hz. */
    Pile(Trial trial, BoxPile pile) {
        this.trial = trial;
        plausible = trial.check(Promise.PLAUSIBLE);
        boxes = pile.boxes();
        farthest = pile.floorHalfExtent();
        double[] top = {0};
        pile.forEach((box, x, y, z) -> top[0] = Math.max(top[0], y));
        highest = top[0];
        longestStep = Math.sqrt(2 * GRAVITY * (highest - BoxPile.HALF_EXTENT)) * TICK_SECONDS;
    }

    static Scenario scenario(int boxes) {
        return new Scenario(
                "pile-" + boxes,
                String.format(Locale.ROOT, "%,d boxes fall on a heap in Jolt", boxes),
                CheckingReader.promisesWithoutModel(Promise.ACCOUNTED, Promise.PLAUSIBLE),
                trial -> run(trial, new BoxPile(boxes)));
    }

    private static void run(Trial trial, BoxPile start) throws SkippedException {
        JoltPile pile;
        try {
            pile = new JoltPile(start);
        } catch (UnsupportedPlatformException e) {
            throw new SkippedException(String.valueOf(e.getMessage()));
        }
        try (WatchedService service = new WatchedService(trial, pile, builder -> builder.preallocate(start.boxes()))) {
            service.readBy(snapshot -> true, WatchedService.FPS, new Pile(trial, start)::inspect);
            service.awaitEnd();
            trial.figure(Figure.graded(
                    "time given up",
                    100 * (1 - service.service().timeFactor()),
                    "%",
                    GOOD_LOSS_PERCENT,
                    FAIR_LOSS_PERCENT,
                    "simulate fewer bodies, or tick less often ('machine --ramp' finds what holds)"));
        }
    }

    /** Checks all ticks of a window that was just taken. */
    private void inspect(Window window) {
        if (trial.isPlanted(Promise.PLAUSIBLE)) {
            window.newest().poses().block(0).py[0] += 2 * (float) longestStep;
        }
        for (int i = 0; i < window.size(); i++) {
            check(window.snapshot(Math.max(0, i - 1)), window.snapshot(i));
        }
    }

    /** Checks a tick, and the motion from the one before it. */
    void check(Snapshot before, Snapshot snapshot) {
        PoseBlocks poses = snapshot.poses();
        int slots = poses.slotCount();
        int strange = NONE;
        for (int box = 0; box < Math.min(slots, boxes); box++) {
            PoseBlock block = poses.blockOf(box);
            if (!canBe(block, box) || !canMove(before.poses().blockOf(box), block, box)) {
                strange = box;
            }
        }
        int box = strange;
        plausible.that(
                box == NONE && slots == boxes,
                () -> snapshot + ", " + boxes + " boxes: "
                        + (box == NONE
                                ? slots
                                : "box " + box + " went from " + pose(before, box) + " to " + pose(snapshot, box)));
    }

    // Each comparison is false for what is not a number.

    private boolean canBe(PoseBlock block, int box) {
        int i = box & PoseBlock.MASK;
        return Math.abs(block.px[i]) <= farthest
                && Math.abs(block.pz[i]) <= farthest
                && block.py[i] >= LOWEST
                && block.py[i] <= highest
                && Math.abs(squared(block.qx[i], block.qy[i], block.qz[i]) + squared(block.qw[i], 0, 0) - 1)
                        <= SQUARED_LENGTH_ERROR;
    }

    private boolean canMove(PoseBlock before, PoseBlock after, int box) {
        int i = box & PoseBlock.MASK;
        double step = squared(after.px[i] - before.px[i], after.py[i] - before.py[i], after.pz[i] - before.pz[i]);
        return step <= longestStep * longestStep;
    }

    private static double squared(double x, double y, double z) {
        return x * x + y * y + z * z;
    }

    private static String pose(Snapshot snapshot, int box) {
        PoseBlock block = snapshot.poses().blockOf(box);
        int i = box & PoseBlock.MASK;
        return "(" + block.px[i] + ", " + block.py[i] + ", " + block.pz[i] + "), rotation (" + block.qx[i] + ", "
                + block.qy[i] + ", " + block.qz[i] + ", " + block.qw[i] + ")";
    }
}
