package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.child.JvmDemand;
import dev.escapement.bench.stress.trial.Figure;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Scenario;
import dev.escapement.bench.stress.trial.SkippedException;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.world.NumberedInput;
import dev.escapement.bench.stress.world.PredictableWorld;
import dev.escapement.bench.stress.world.Promises;
import dev.escapement.bench.stress.world.Suspension;
import dev.escapement.bench.stress.world.TickSpacing;
import dev.escapement.bench.stress.world.WatchedService;
import dev.escapement.physics.LateTicks;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;
import dev.escapement.state.time.Pacer;
import java.io.IOException;
import java.util.Set;

/** The whole process is stopped in the middle of whatever it does, and goes on later: time has passed that nobody saw. */
final class ProcessSuspended implements Scenario {

    private static final int BODIES = 1000;
    private static final long FPS = 144;
    private static final double[] SUSPENDED_SECONDS = {0.2, 2, 0.5, 1};
    private static final long BETWEEN_NANOS = 200_000_000;

    /** In a JVM that may be stopped. */
    static Scenario inChild() {
        return new InChild(new ProcessSuspended(), JvmDemand.NONE);
    }

    @Override
    public String name() {
        return "process-suspended";
    }

    @Override
    public String says() {
        return "a JVM of its own is stopped by SIGSTOP for 0.2 to 2 s and goes on, again and again";
    }

    @Override
    public Set<Promise> promises() {
        return Promises.ofReaders(Promise.ACCOUNTED, Promise.INPUT_ONCE, Promise.NO_STORM);
    }

    @Override
    public boolean delaysTicks() {
        return true;
    }

    @Override
    public void run(Trial trial) throws IOException, InterruptedException, SkippedException {
        World world = new World(trial);
        // To give up nothing is to catch up in a storm.
        LateTicks late = trial.isPlanted(Promise.NO_STORM) ? LateTicks.runAll() : LateTicks.skip();
        int suspensions;
        try (WatchedService service = WatchedService.start(trial, world, builder -> builder.lateTicks(late))) {
            service.readBy(world.poses, FPS);
            NumberedInput.Offering offering =
                    world.input.offerTo(service.service().input());
            try (offering) {
                suspensions = suspend(trial);
            }
            service.awaitEnd();
        }
        trial.figure(Figure.info("suspensions", suspensions, ""));
    }

    private static int suspend(Trial trial) throws IOException, InterruptedException, SkippedException {
        Pacer pacer = Pacer.system();
        int times = 0;
        do {
            pacer.awaitUntil(System.nanoTime() + BETWEEN_NANOS);
            Suspension.ofThisProcess(SUSPENDED_SECONDS[times++ % SUSPENDED_SECONDS.length]);
        } while (trial.goesOn());
        return times;
    }

    /** Poses that are known, and a look at what each tick is given and when. */
    private static final class World implements Simulation {

        private final PredictableWorld poses = new PredictableWorld(BODIES);
        private final NumberedInput input;
        private final TickSpacing spacing;

        World(Trial trial) {
            input = new NumberedInput(trial);
            spacing = new TickSpacing(trial);
        }

        @Override
        public void step(Tick tick) {
            spacing.started(System.nanoTime(), tick.rate().nanosAt(1));
            input.arrived(tick.input());
            poses.step(tick);
        }

        @Override
        public void capture(PoseWriter writer) {
            poses.capture(writer);
        }
    }
}
