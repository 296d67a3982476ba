package dev.escapement.bench.stress;

import dev.escapement.bench.stress.StressReport.Distribution;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.host.PhysicsHost;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.simulation.HungSimulationException;
import dev.escapement.physics.simulation.PhysicsStats;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The life of one service under the storm of its plan: builds, stresses, closes and checks it. The thread of the run. */
final class Life {

    /** The number of readers besides those of {@link FrameStorm}: one of the event check, one of the UDP server. */
    private static final int OTHER_READERS = 2;

    private static final int WINDOW_SIZE = 4;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long WATCHDOG_MILLIS = 10_000;

    /**
     * After this long without a tick the service counts as stuck. The storm pauses time for less, and slows it down to a quarter at most.
     */
    private static final long MAX_STILL_NANOS = TimeUnit.SECONDS.toNanos(30);

    private static final int MAX_STILL_TICKS = 40;

    /**
     * The longest time between two looks that counts as time without a tick. After a longer one, this program itself was stopped or had no
     * core.
     */
    private static final long MAX_LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

    final StressRun run;
    final Trial trial;
    final LifePlan plan;
    final StressedSimulation world;
    final Path folder;
    final AllocationCheck allocations;
    final TickCheck ticks;

    /** The parts of the storm, then the checks. They are closed before the service, in reverse order. Tests add parts. */
    final List<Part> parts = new ArrayList<>();

    /** The host that ticks the service; null if the service has its own thread. */
    private final @Nullable PhysicsHost host;

    private final PhysicsService physics;
    private long startedNanos;
    private long lookedNanos;
    private long tickBefore;
    private long stillNanos;
    private boolean isKept;
    private String failure = "";

    Life(StressRun run, LifePlan plan, @Nullable PhysicsHost host) throws IOException {
        this.run = run;
        this.plan = plan;
        this.host = host;
        trial = run.trial;
        world = new StressedSimulation(run.newWorld());
        folder = Files.createTempDirectory("escapement-soak");
        allocations = new AllocationCheck(this);
        ticks = new TickCheck(this);
        PhysicsServiceBuilder builder = PhysicsService.builder(world)
                .name("soak-" + plan.number())
                .rate(run.rate())
                .windowSize(WINDOW_SIZE)
                .lateTicks(plan.lateTicks())
                .checksums(true)
                .maxReaders(FrameStorm.READERS + OTHER_READERS)
                .inputCapacity(InputStorm.capacity(plan))
                .watchdog(WATCHDOG_MILLIS)
                .onFailure(thrown -> {}); // the report contains the failure
        plan.parts().forEach(part -> parts.add(part.of(this)));
        parts.addAll(List.of(ticks, new EventCheck(this), new BlameCheck(this)));
        parts.add(allocations); // last, so that the allocations of the other parts' hooks are counted, too
        for (Part part : parts) {
            part.join(builder);
            builder.with(part);
        }
        physics = host == null ? builder.build() : host.add(builder);
        parts.forEach(part -> part.read(physics));
    }

    boolean isHosted() {
        return host != null;
    }

    /** Lives from the start of the service to its checks. {@code look} is called several times a second. */
    void live(BooleanSupplier continues, Runnable look) {
        try {
            start();
            while (continues.getAsBoolean() && !isOver()) {
                Polling.pass(LOOK_NANOS);
                look();
                look.run();
            }
        } catch (Throwable e) { // Throwable, so that OutOfMemoryError is caught, too
            fail("it cannot begin or continue: " + e);
        }
        end();
    }

    /** Starts the service and its storm. If this throws, {@link #end} ends what was started. */
    void start() {
        if (host == null) {
            physics.start();
        }
        startedNanos = System.nanoTime();
        lookedNanos = startedNanos;
        parts.forEach(Part::started);
    }

    PhysicsService physics() {
        return physics;
    }

    RunDescription description() {
        return new RunDescription(run.name(), "", "life " + plan.number(), plan.seed(), run.rate());
    }

    void look() {
        parts.forEach(Part::look);
        standsStill();
        for (Part part : parts) {
            part.failure().ifPresent(thrown -> {
                // First, because a failed service explains why the part failed.
                physics.failure().ifPresent(this::failed);
                fail(part.getClass().getSimpleName() + " failed: " + thrown);
            });
        }
    }

    private long mayStandNanos() {
        return Math.max(MAX_STILL_NANOS, run.rate().nanosAt(MAX_STILL_TICKS));
    }

    /** Returns whether no tick has come for longer than the storm pauses or slows time. The life has then failed. */
    private boolean standsStill() {
        long nowNanos = System.nanoTime();
        long tick = physics.lastPublishedTick();
        stillNanos = tick == tickBefore ? stillNanos + Math.min(MAX_LOOK_NANOS, nowNanos - lookedNanos) : 0;
        lookedNanos = nowNanos;
        tickBefore = tick;
        boolean stands = stillNanos > mayStandNanos() && !physics.hasEnded();
        if (stands) {
            fail("no tick came for " + TimeUnit.NANOSECONDS.toSeconds(mayStandNanos()) + " s after tick " + tick
                    + ", though time was not paused for so long");
        }
        return stands;
    }

    boolean isOver() {
        return !failure.isEmpty() || System.nanoTime() - startedNanos > plan.seconds() * 1e9 || physics.hasEnded();
    }

    List<Distribution> distributions() {
        PhysicsStats stats = physics.stats();
        return List.of(
                Distribution.of("lateness, ms", stats.latenessNanos()),
                Distribution.of("publish delay, ms", stats.publishDelayNanos()),
                Distribution.of("step, ms", stats.stepNanos()));
    }

    long ticks() {
        return ticks.published();
    }

    void end() {
        physics.failure().ifPresent(this::failed);
        try {
            Part.close(parts);
        } catch (RuntimeException e) {
            physics.failure().ifPresent(this::failed); // first, because a failed service explains the error
            fail(e.toString());
        }
        look(); // notes the failures of parts that fail only when they are closed
        stop();
        if (failure.isEmpty()) {
            parts.forEach(Part::check);
        }
    }

    private void stop() {
        if (physics.failure().isEmpty()) {
            Polling.await(
                    mayStandNanos() + MAX_STILL_NANOS,
                    () -> standsStill() || physics.hasEnded() || parts.stream().allMatch(Part::isThrough));
        }
        physics.close();
        physics.failure().ifPresent(this::failed); // the world's close() may throw, and its last tick may hang
        parts.forEach(Part::stopped);
        for (StormPart part : List.of(StormPart.RECORDING, StormPart.FLIGHT_RECORDER)) {
            // Only after a tick is it known whether the world has a hash.
            if (plan.parts().contains(part) && !world.hasHash()) {
                trial.leftOut(part, "the world has no hash(), with which two runs are compared");
            }
        }
    }

    private void failed(Throwable thrown) {
        fail("the world " + (thrown instanceof HungSimulationException ? "hangs" : "failed") + " in tick "
                + (physics.lastPublishedTick() + 1) + ": " + thrown);
    }

    void fail(String what) {
        if (failure.isEmpty()) {
            failure = what + " (" + plan + ")";
        }
    }

    String failure() {
        return failure;
    }

    void keepFolder() {
        isKept = true;
    }

    /** If the world has failed and has a hash, keeps the file, and says in the failure how to repeat it. */
    void keepIfFailed(Path file) {
        if (physics.failure().isPresent() && world.hasHash()) {
            keepFolder();
            failure += ". To repeat it: replay " + file;
        }
    }

    void delete() throws IOException {
        if (!isKept) {
            delete(folder);
        }
    }

    static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
