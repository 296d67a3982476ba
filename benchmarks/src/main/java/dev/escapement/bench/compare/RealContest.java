package dev.escapement.bench.compare;

import dev.escapement.bench.compare.Comparison.RealResult;
import dev.escapement.bench.measure.GivenUpTicks;
import dev.escapement.physics.PhysicsService;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A load on a display, for one contestant after the other, on real threads: with a crowd in the scene, whose steps are part of the load.
 *
 * @param load            what steps take
 * @param refresh         the rates of ticks and frames
 * @param crowd           makes the bodies beside the scene, anew for each contestant
 * @param givenUp         told of the ticks that a service gave up, to be asked for reasons when it has ended
 * @param warmUpSeconds   how long frames are left out at first
 * @param measuredSeconds how long frames are measured
 */
record RealContest(
        LoadProfile load,
        RefreshCase refresh,
        Supplier<Crowd> crowd,
        Consumer<GivenUpTicks> givenUp,
        int warmUpSeconds,
        int measuredSeconds) {

    /**
     * What runs: everything everywhere takes most of an hour.
     *
     * @param contestant who
     * @param load       under which load
     * @param refresh    at which rates
     */
    record Selected(Contestant contestant, LoadProfile load, RefreshCase refresh) {}

    /** The selection that tells most in two minutes. */
    static List<Selected> usualSelection() {
        Set<Contestant> contestants = EnumSet.range(Contestant.NEWEST, Contestant.SERVICE_AHEAD);
        contestants.remove(Contestant.SERVICE_2);
        contestants.add(Contestant.ACCUMULATOR);
        List<Selected> selection = new ArrayList<>();
        for (Contestant contestant : contestants) {
            selection.add(new Selected(contestant, LoadProfile.HEAVY, RefreshCase.FPS_144));
        }
        for (LoadProfile load : List.of(LoadProfile.LIGHT, LoadProfile.SPIKY)) {
            selection.add(new Selected(Contestant.BY_ARRIVAL, load, RefreshCase.FPS_144));
            selection.add(new Selected(Contestant.SERVICE_3, load, RefreshCase.FPS_144));
        }
        return selection;
    }

    /** Every contestant, under every load, at every rate. */
    static List<Selected> fullSelection() {
        List<Selected> selection = new ArrayList<>();
        for (LoadProfile load : LoadProfile.values()) {
            for (RefreshCase refresh : RefreshCase.values()) {
                for (Contestant contestant : Contestant.values()) {
                    selection.add(new Selected(contestant, load, refresh));
                }
            }
        }
        return selection;
    }

    /** Measures a contestant. */
    RealResult measure(Contestant contestant) {
        WorkClock clock = WorkClock.busy();
        TickedScene scene = new TickedScene(load, clock, crowd.get());
        return switch (contestant.place()) {
            case ONE_THREAD -> loop(contestant, GameLoops.create(contestant, scene, load, refresh, clock));
            case JOINED_THREADS -> {
                ExecutorService physics = Executors.newSingleThreadExecutor(work -> {
                    Thread thread = new Thread(work, "joined-physics");
                    thread.setDaemon(true);
                    return thread;
                });
                try {
                    yield loop(contestant, GameLoops.beside(scene, refresh.tickRate(), clock, physics));
                } finally {
                    physics.shutdown();
                }
            }
            case TWO_THREADS -> threads(contestant, scene, clock);
        };
    }

    /** What is measured of a picture that is right by construction: the jitter of the frames alone. */
    RealResult measureAnalytic() {
        SlotLoop slots = new SlotLoop(refresh.display());
        long startNanos = System.nanoTime();
        WorkClock clock = WorkClock.busy();
        Picture picture = new Picture() {
            @Override
            public void frame(long nowNanos, long displayNanos) {
                drawn(displayNanos - startNanos, Ball.START_METRES);
            }
        };
        return draw(slots, Contestant.SERVICE_3, startNanos, picture, drawing(picture, clock));
    }

    private RealResult loop(Contestant contestant, GameLoop toClose) {
        try (GameLoop loop = toClose) {
            SlotLoop slots = new SlotLoop(refresh.display());
            // Time begins with the first frame of such a loop.
            return draw(slots, contestant, slots.firstSlotNanos(), loop.picture(), (begin, display) -> loop.frame());
        }
    }

    private RealResult threads(Contestant contestant, TickedScene scene, WorkClock clock) {
        TickRate rate = refresh.tickRate();
        long coverNanos = new VirtualContest(load, refresh).bestCoverNanos(contestant);
        ThreadPattern pattern = ThreadPattern.of(contestant, scene, rate, coverNanos);
        GivenUpTicks ticks = new GivenUpTicks(rate.nanosAt(1));
        givenUp.accept(ticks);
        try (PhysicsService physics = PhysicsService.builder(pattern.simulation())
                .rate(rate)
                .windowSize(pattern.windowSize())
                .maxReaders(1)
                .preallocate(scene.ballSlot() + 1)
                .listener((tick, dueNanos, startedNanos, steppedNanos, publishedNanos) ->
                        ticks.ticked(dueNanos, startedNanos, System.nanoTime()))
                .start()) {
            Picture picture = pattern.picture().apply(physics.newReader());
            SlotLoop slots = new SlotLoop(refresh.display());
            return draw(slots, contestant, physics.startedAtNanos(), picture, drawing(picture, clock));
        }
    }

    /** Draws a picture of a world that another thread steps. */
    private static SlotLoop.Frame drawing(Picture picture, WorkClock clock) {
        return (beginNanos, displayNanos) -> {
            picture.frame(beginNanos, displayNanos);
            clock.spend(LoadProfile.DRAW_NANOS);
        };
    }

    private RealResult draw(
            SlotLoop slots, Contestant contestant, long startNanos, Picture picture, SlotLoop.Frame frame) {
        long warmUpNanos = TimeUnit.SECONDS.toNanos(warmUpSeconds);
        ContestantMeter meter = new ContestantMeter(contestant, load, refresh, startNanos, warmUpNanos);
        slots.run(warmUpNanos + TimeUnit.SECONDS.toNanos(measuredSeconds), (beginNanos, displayNanos) -> {
            frame.draw(beginNanos, displayNanos);
            long completedNanos = System.nanoTime();
            meter.frame(picture, displayNanos, slots.firstSlotFrom(completedNanos), completedNanos);
        });
        return meter.realResult(slots.missedSlots());
    }
}
