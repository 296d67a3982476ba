package dev.escapement.bench.compare;

import dev.escapement.bench.compare.TwoThreads.Frames;
import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.ForwardingSimulation;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import dev.escapement.render.FrameView;
import dev.escapement.render.PredictionError;
import dev.escapement.render.clock.AnimationError;
import dev.escapement.render.clock.LookAhead;
import dev.escapement.render.interpolation.Interpolation;
import dev.escapement.render.interpolation.Interpolation.Positions;
import dev.escapement.render.interpolation.Interpolation.Rotations;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.time.Timeline;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * What it costs to look ahead: views that look ahead by different times draw the same world, on a virtual clock, and each is measured.
 */
final class AgeCurve {

    /** By how many ticks. */
    static final List<Double> AHEAD = List.of(0.0, 0.5, 1.0, 1.5, 2.0);

    private static final RefreshCase REFRESH = RefreshCase.FPS_144;
    private static final long WARM_UP_NANOS = TimeUnit.SECONDS.toNanos(VirtualContest.WARM_UP_SECONDS);
    private static final long END_NANOS = WARM_UP_NANOS + TimeUnit.SECONDS.toNanos(6);
    /** Deeper in the floor than without prediction by so much is seen. */
    private static final float SEEN_METRES = 0.005f;

    /**
     * What one view cost, under the names of the JSON file's keys.
     *
     * @param motion                how the bodies moved
     * @param load                  what steps took
     * @param predictor             how positions were predicted
     * @param lookAheadTicks        by how much
     * @param ageMillis             how old the picture was, mean
     * @param timeErrorMillis       animation error, mean
     * @param timeErrorP99Millis    animation error
     * @param positionMillimetres   from where bodies turned out to be, mean of those that moved
     * @param positionP99           the same, millimetres
     * @param positionMost          the same, millimetres
     * @param mostTicks             the largest against the way of that body in a tick
     * @param rotationMilliradians  from how bodies turned out to be turned, mean
     * @param rotationP99           the same, milliradians
     * @param rotationMost          the same, milliradians
     * @param belowFloorMillimetres the lowest corner of a box; of other motions 0
     * @param framesBelowFloor      in so many frames in a row one box was seen deeper than in the picture without prediction
     */
    record Point(
            Motions motion,
            LoadProfile load,
            Positions predictor,
            double lookAheadTicks,
            double ageMillis,
            double timeErrorMillis,
            double timeErrorP99Millis,
            double positionMillimetres,
            double positionP99,
            double positionMost,
            double mostTicks,
            double rotationMilliradians,
            double rotationP99,
            double rotationMost,
            double belowFloorMillimetres,
            int framesBelowFloor) {}

    private AgeCurve() {}

    /** Measures all motions under all loads; without Jolt there is no pile. */
    static List<Point> measureAll(Runnable afterEach) {
        List<Point> points = new ArrayList<>();
        for (LoadProfile load : LoadProfile.values()) {
            for (Motions motion : Motions.values()) {
                try {
                    points.addAll(measure(motion, load));
                } catch (UnsupportedPlatformException withoutJolt) {
                    // and the page has no such curve
                }
                afterEach.run();
            }
        }
        return points;
    }

    /** Measures all views of a world. */
    static List<Point> measure(Motions motion, LoadProfile load) {
        TwoThreads threads = new TwoThreads(new VirtualDisplay(REFRESH.display()), false);
        TickRate rate = REFRESH.tickRate();
        Simulation world = new ForwardingSimulation(motion.newWorld()) {
            @Override
            public void step(Tick tick) throws Exception {
                super.step(tick);
                threads.spend(load.costNanos(tick.number()));
            }
        };
        try (InlineDriver driver = PhysicsService.builder(world)
                .rate(rate)
                .layout(new PoseLayout(PoseLayout.Tangents.DERIVED, List.of()))
                .windowSize(LookAhead.LEAST_SNAPSHOTS)
                .maxReaders(Positions.values().length * AHEAD.size())
                .inline(threads)) {
            List<Seen> views = new ArrayList<>();
            for (Positions predictor : Positions.values()) {
                for (double ahead : AHEAD) {
                    views.add(new Seen(driver, predictor, ahead));
                }
            }
            Frames frames = (beginNanos, expectedNanos, slotNanos) -> {
                float floor = 0;
                for (Seen view : views) {
                    view.frame(beginNanos, expectedNanos, slotNanos);
                    if (motion == Motions.BOUNCING_PILE && view.isWarm) {
                        floor = view.ahead == 0 ? view.lowest() : floor;
                        view.look(floor);
                    }
                }
            };
            threads.run(driver, rate, frames, END_NANOS);
            return views.stream().map(view -> view.point(motion, load)).toList();
        }
    }

    /** A view, and what is measured of it. */
    private static final class Seen {
        private final Positions predictor;
        private final double ahead;
        private final FrameView view;
        private final AnimationError timeError = new AnimationError("look ahead");
        private final PredictionError positionError;
        private final Distribution age = new Distribution();
        private final Timeline trueTime = new Timeline(REFRESH.tickRate());
        private boolean isWarm;
        private float lowest;
        private int[] framesBelow = {};
        private int mostFramesBelow;

        Seen(InlineDriver driver, Positions predictor, double ahead) {
            this.predictor = predictor;
            this.ahead = ahead;
            Interpolation how = new Interpolation(predictor, Rotations.SLERP, 0).lookAhead(ahead);
            view = FrameView.of(driver.newReader(), how);
            positionError = new PredictionError(how);
            trueTime.startAt(0, 0, TimeScale.ONE);
        }

        void frame(long beginNanos, long expectedNanos, long slotNanos) {
            if (!view.advance(beginNanos, expectedNanos)) {
                return;
            }
            if (!isWarm && slotNanos >= WARM_UP_NANOS) {
                isWarm = true;
                timeError.reset();
                positionError.reset();
            }
            long shownNanos = view.clock().shownSimNanos();
            timeError.frame(shownNanos, trueTime, slotNanos);
            if (isWarm) {
                positionError.frame(view);
                age.record(slotNanos - shownNanos);
            }
        }

        /** The lowest corner of all boxes, metres above the floor. */
        float lowest() {
            float least = Float.POSITIVE_INFINITY;
            for (int box = 0; box < view.poses().slotCount(); box++) {
                least = Math.min(least, lowest(box));
            }
            return least;
        }

        private float lowest(int box) {
            PoseBlock block = view.poses().blockOf(box);
            int i = box & PoseBlock.MASK;
            float x = block.qx[i];
            float y = block.qy[i];
            float z = block.qz[i];
            float w = block.qw[i];
            float reach =
                    Math.abs(2 * (x * y + z * w)) + Math.abs(1 - 2 * (x * x + z * z)) + Math.abs(2 * (y * z - x * w));
            return block.py[i] - BoxPile.HALF_EXTENT * reach;
        }

        /** Looks for boxes in the floor, whose lowest is so deep without prediction. */
        void look(float floor) {
            framesBelow = framesBelow.length == 0 ? new int[view.poses().slotCount()] : framesBelow;
            for (int box = 0; box < framesBelow.length; box++) {
                float low = lowest(box);
                lowest = Math.min(lowest, low);
                framesBelow[box] = low < Math.min(0, floor) - SEEN_METRES ? framesBelow[box] + 1 : 0;
                mostFramesBelow = Math.max(mostFramesBelow, framesBelow[box]);
            }
        }

        Point point(Motions motion, LoadProfile load) {
            return new Point(
                    motion,
                    load,
                    predictor,
                    ahead,
                    age.summary().mean() / 1e3,
                    timeError.meanNanos() / 1e6,
                    timeError.percentileNanos(99) / 1e6,
                    positionError.meanMillimetres(),
                    positionError.millimetres(99),
                    positionError.millimetres(100),
                    positionError.largestTicks(),
                    positionError.meanMilliradians(),
                    positionError.milliradians(99),
                    positionError.milliradians(100),
                    -1e3 * lowest,
                    mostFramesBelow);
        }
    }
}
