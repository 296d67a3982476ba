package dev.escapement.bench.compare.real;

import dev.escapement.bench.compare.contest.Contestant;
import dev.escapement.bench.compare.contest.LoadProfile;
import dev.escapement.bench.compare.contest.RefreshCase;
import dev.escapement.bench.compare.loop.GameLoop;
import dev.escapement.bench.compare.loop.GameLoops;
import dev.escapement.bench.compare.picture.Picture;
import dev.escapement.bench.compare.picture.ThreadPattern;
import dev.escapement.bench.compare.scene.Crowd;
import dev.escapement.bench.compare.scene.TickedScene;
import dev.escapement.bench.compare.virtual.VirtualContest;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.time.TickRate;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A load on a display, for one contestant after the other, on real threads: with a crowd in the scene, whose steps are part of the load.
 *
 * @param load            what steps take
 * @param refresh         the rates of ticks and frames
 * @param crowd           makes the bodies beside the scene, anew for each contestant
 * @param warmUpSeconds   how long frames are left out at first
 * @param measuredSeconds how long frames are measured
 */
public record RealContest(
        LoadProfile load, RefreshCase refresh, Supplier<Crowd> crowd, int warmUpSeconds, int measuredSeconds) {

    /** What a contestant does. */
    public RealResult measure(Contestant contestant) {
        BusyClock clock = new BusyClock();
        TickedScene scene = new TickedScene(load, clock, crowd.get());
        return switch (contestant.place()) {
            case ONE_THREAD -> {
                RealResult result = loop(contestant, GameLoops.create(contestant, scene, load, refresh, clock));
                scene.close();
                yield result;
            }
            case JOINED_THREADS -> {
                try (JoinedStep joined = new JoinedStep(scene, refresh.tickRate(), clock)) {
                    yield loop(contestant, joined);
                }
            }
            case TWO_THREADS -> threads(contestant, scene, clock);
        };
    }

    /** What is measured of a picture that is right by construction: the jitter of the frames alone. */
    public RealResult measureAnalytic() {
        SlotLoop slots = new SlotLoop(refresh.display());
        long startNanos = System.nanoTime();
        BusyClock clock = new BusyClock();
        Picture picture = new AnalyticPicture(startNanos);
        return draw(slots, Contestant.SERVICE_3, startNanos, drawing(picture, clock));
    }

    private RealResult loop(Contestant contestant, GameLoop loop) {
        SlotLoop slots = new SlotLoop(refresh.display());
        // Time begins with the first frame of such a loop.
        return draw(slots, contestant, slots.firstSlotNanos(), (measure, beginNanos, displayNanos) -> {
            loop.frame();
            measure.frame(loop.picture(), displayNanos);
        });
    }

    private RealResult threads(Contestant contestant, TickedScene scene, BusyClock clock) {
        TickRate rate = refresh.tickRate();
        long coverNanos = new VirtualContest(load, refresh).bestCoverNanos(contestant);
        ThreadPattern pattern = ThreadPattern.of(contestant, scene, rate, coverNanos);
        try (PhysicsService physics = PhysicsService.builder(pattern.simulation())
                .rate(rate)
                .windowSize(pattern.windowSize())
                .maxReaders(1)
                .preallocate(scene.ballSlot() + 1)
                .start()) {
            Picture picture = pattern.picture().apply(physics.newReader());
            SlotLoop slots = new SlotLoop(refresh.display());
            return draw(slots, contestant, physics.startedAtNanos(), drawing(picture, clock));
        }
    }

    /** What is done with a frame. */
    @FunctionalInterface
    private interface Drawing {
        void frame(RealMeasure measure, long beginNanos, long displayNanos);
    }

    /** A picture that somebody else's steps change. */
    private static Drawing drawing(Picture picture, BusyClock clock) {
        return (measure, beginNanos, displayNanos) -> {
            picture.frame(beginNanos, displayNanos);
            clock.spend(LoadProfile.DRAW_NANOS);
            measure.frame(picture, displayNanos);
        };
    }

    private RealResult draw(SlotLoop slots, Contestant contestant, long startNanos, Drawing drawing) {
        long warmUpNanos = TimeUnit.SECONDS.toNanos(warmUpSeconds);
        RealMeasure measure = new RealMeasure(slots, contestant, load, refresh, startNanos, warmUpNanos);
        slots.run(
                warmUpNanos + TimeUnit.SECONDS.toNanos(measuredSeconds),
                (beginNanos, displayNanos) -> drawing.frame(measure, beginNanos, displayNanos));
        return measure.result();
    }
}
