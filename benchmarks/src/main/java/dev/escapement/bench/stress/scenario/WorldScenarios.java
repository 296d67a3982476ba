package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.JoltPile;
import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.SkippedException;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.CheckingReader;
import dev.escapement.bench.stress.world.ChurnWorld;
import dev.escapement.bench.stress.world.JumpingWorld;
import dev.escapement.bench.stress.world.NonFiniteWorld;
import dev.escapement.bench.stress.world.PileBounds;
import dev.escapement.bench.stress.world.SeenBodies;
import dev.escapement.bench.stress.world.WatchedService;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.platform.UnsupportedPlatformException;
import dev.escapement.render.FrameView;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.PoseBlocks;
import java.util.Locale;
import java.util.function.Supplier;

/** What bodies do: come and go, jump, have poses that are not finite, fall on a heap; and what a user's own simulation does. */
public final class WorldScenarios {

    /** The name of the scenario of a user's own simulation. */
    public static final String USER = "yours";

    private static final int BORN_PER_TICK = 2_000;
    private static final int LIFE_TICKS = 4;
    private static final long CHURN_FPS = 60;
    private static final int JUMPING_BODIES = 300;
    private static final long JUMPING_FPS = 330; // several times within a tick
    private static final int NAN_BODIES = 700;
    private static final double GOOD_LOSS_PERCENT = 0.1;
    private static final double FAIR_LOSS_PERCENT = 2;

    private WorldScenarios() {}

    /** Thousands of bodies that come and as many that go, in every tick: slots are used again at once. */
    static Scenario churn() {
        return new Scenario(
                "churn",
                "2,000 bodies come and 2,000 go in every tick, 8,000 live",
                CheckingReader.promises(Promise.ACCOUNTED, Promise.NEVER_REUSED),
                trial -> {
                    ChurnWorld world = new ChurnWorld(BORN_PER_TICK, LIFE_TICKS);
                    try (WatchedService service = WatchedService.start(
                            trial, world, builder -> builder.preallocate((LIFE_TICKS + 1) * BORN_PER_TICK))) {
                        service.readBy(world, CHURN_FPS, new SeenBodies(trial)::inspect);
                        service.awaitEnd();
                        trial.figure(Figure.info(
                                "grown blocks", (double) service.service().grownBlocks(), ""));
                    }
                });
    }

    /** Bodies that jump, or go round a world that wraps around, checked as they are drawn: none may be drawn on the way. */
    static Scenario teleports() {
        return new Scenario(
                "teleports",
                "150 bodies jump a kilometre every fifth tick, 150 go round a ring of 12 ticks, and are drawn",
                CheckingReader.promises(Promise.ACCOUNTED, Promise.NEVER_ON_THE_WAY, Promise.MOVES_ON),
                trial -> {
                    JumpingWorld world = new JumpingWorld(trial, JUMPING_BODIES);
                    WatchedService.run(
                            trial,
                            world,
                            builder -> builder.maxReaders(2),
                            service -> service.drawBy(view -> checkJumps(trial, world, view), JUMPING_FPS));
                });
    }

    private static void checkJumps(Trial trial, JumpingWorld world, FrameView view) {
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
        checkJumps(trial, Promise.NEVER_ON_THE_WAY, jumpingElsewhere, simNanos);
        checkJumps(trial, Promise.MOVES_ON, roundElsewhere, simNanos);
    }

    private static void checkJumps(Trial trial, Promise promise, int elsewhere, long simNanos) {
        trial.check(promise)
                .that(
                        elsewhere == 0,
                        () -> elsewhere + " bodies were drawn elsewhere, " + simNanos + " ns after the start");
    }

    /** An engine that blows up: bursts of poses that are not finite. */
    static Scenario nanBursts() {
        return new Scenario(
                "nan-bursts",
                "a seventh of 700 bodies is at NaN or infinity for 10 of 25 ticks, and drawn",
                CheckingReader.promises(Promise.ACCOUNTED, Promise.QUARANTINED, Promise.FINITE),
                trial -> {
                    NonFiniteWorld world = new NonFiniteWorld(NAN_BODIES);
                    PhysicsService closed = WatchedService.run(
                            trial,
                            world,
                            builder -> builder.maxReaders(2),
                            service -> service.drawBy(view -> checkFinite(trial, view), WatchedService.FPS));
                    long counted = closed.quarantinedPoses() + (trial.isPlanted(Promise.QUARANTINED) ? 1 : 0);
                    trial.check(Promise.QUARANTINED)
                            .that(
                                    counted == world.faults(),
                                    () -> counted + " were counted, " + world.faults() + " were faulty");
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
                .that(good == NAN_BODIES, () -> good + " of " + NAN_BODIES + " bodies were drawn at a finite pose");
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

    /** A real engine: boxes that fall on a heap, in Jolt. There is no model of where they come to lie, but of how boxes can lie. */
    static Scenario pile(int boxes) {
        return new Scenario(
                "pile-" + boxes,
                String.format(Locale.ROOT, "%,d boxes fall on a heap in Jolt", boxes),
                CheckingReader.promisesWithoutModel(Promise.ACCOUNTED, Promise.PLAUSIBLE),
                trial -> runPile(trial, new BoxPile(boxes)));
    }

    private static void runPile(Trial trial, BoxPile start) throws SkippedException {
        JoltPile pile;
        try {
            pile = new JoltPile(start);
        } catch (UnsupportedPlatformException e) {
            throw new SkippedException(String.valueOf(e.getMessage()));
        }
        try (WatchedService service =
                WatchedService.start(trial, pile, builder -> builder.preallocate(start.boxes()))) {
            service.readBy(snapshot -> true, WatchedService.FPS, new PileBounds(trial, start)::inspect);
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

    /**
     * A simulation of the user's own, of which there is no model; all else is checked.
     *
     * @param simulationName what it is called
     * @param simulations    makes a new one for each run
     */
    public static Scenario user(String simulationName, Supplier<Simulation> simulations) {
        return new Scenario(
                USER,
                simulationName + " and two readers",
                CheckingReader.promisesWithoutModel(Promise.ACCOUNTED),
                trial -> {
                    try (WatchedService service = WatchedService.start(trial, simulations.get(), builder -> builder)) {
                        service.readBy(snapshot -> true, WatchedService.FPS);
                        service.readBy(snapshot -> true, WatchedService.FPS / 2);
                        service.awaitEnd();
                        service.service().failure().ifPresent(failure -> {
                            throw new IllegalStateException(simulationName + " failed: " + failure, failure);
                        });
                    }
                });
    }
}
