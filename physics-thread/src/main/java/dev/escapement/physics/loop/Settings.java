package dev.escapement.physics.loop;

import dev.escapement.physics.simulation.LateTicks;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.state.input.InputRing.PausedListener;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.thread.ThreadPolicy;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a service or driver, which its {@code PhysicsServiceBuilder} chose. Immutable.
 *
 * @param lateTicksOrDefault null stands for the default, which depends on the runner
 * @param addedDevices       the devices without those of the simulation
 */
public record Settings(
        Simulation simulation,
        Runner runner,
        String name,
        TickRate rate,
        long firstTick,
        @Nullable LateTicks lateTicksOrDefault,
        int windowSize,
        int maxReaders,
        int preallocatedBodies,
        PoseLayout layout,
        boolean checksums,
        int inputCapacity,
        List<InputSource> addedDevices,
        @Nullable PausedListener pausedInput,
        int commandCapacity,
        int commandsPerTick,
        List<TickHook> hooks,
        TickSource.@Nullable Run replicated,
        WaitStrategy waitStrategy,
        Waiter waiter,
        ThreadFactory threads,
        @Nullable ThreadPolicy threadPolicy,
        long watchdogNanos,
        long closeTimeoutNanos,
        @Nullable Consumer<? super Throwable> onFailure) {

    private static final long MAX_DAYS = 36_525;

    /** The kind of thread that runs the ticks. */
    public enum Runner {
        OWN_THREAD,
        HOST,

        /** A host whose time stands still while ticks run. */
        LOCK_STEP_HOST,

        CALLER
    }

    /** Refuses settings that contradict each other. */
    public Settings {
        if (replicated != null && !rate.equals(replicated.rate())) {
            throw new IllegalArgumentException("the run that is followed says " + replicated.rate()
                    + ", but ticks are to run at " + rate + "; set both to the same rate");
        }
        if (threadPolicy != null && (runner == Runner.HOST || runner == Runner.LOCK_STEP_HOST)) {
            throw new IllegalArgumentException(
                    "the policy of threads " + threadPolicy
                            + " is for a service with a thread of its own; leave it out in a host, whose threads ask for nothing");
        }
        long maxTick = rate.tickAt(TimeUnit.DAYS.toNanos(MAX_DAYS));
        if (firstTick < 1 || firstTick > maxTick) {
            throw new IllegalArgumentException("at " + rate + " the first tick must be 1 to " + maxTick + ", but is "
                    + firstTick + "; to continue another service, it is lastPublishedTick() + 1");
        }
        if (firstTick > 1 && replicated != null) {
            throw new IllegalArgumentException("a log has every tick from 1 on, but the first tick is to be "
                    + firstTick + "; leave out firstTick, or replay nothing");
        }
    }

    /** The devices: the simulation's own, then the added ones. */
    public List<InputSource> devices() {
        // A driver polls no source of the simulation: such a source reports changes between two ticks, and in a driver
        // the caller itself makes these.
        Stream<InputSource> own =
                runner == Runner.CALLER ? Stream.empty() : simulation.capability(InputSource.class).stream();
        // Distinct: a user may have added such a source, too.
        return Stream.concat(own, addedDevices.stream()).distinct().toList();
    }

    public LateTicks lateTicks() {
        if (runner == Runner.LOCK_STEP_HOST) {
            // One step may make several ticks due: all must run, though all but the last are late.
            return LateTicks.catchUp();
        }
        LateTicks usual = runner == Runner.CALLER ? LateTicks.catchUp() : LateTicks.dilate();
        return lateTicksOrDefault == null ? usual : lateTicksOrDefault;
    }

    boolean mayWaitForDisk() {
        return runner == Runner.CALLER;
    }

    /** Whether the thread that ticks does other work between two ticks. */
    public boolean sharesThread() {
        return runner != Runner.OWN_THREAD;
    }

    public Thread newThread(Runnable work, String what) {
        Thread thread = threads.newThread(work);
        thread.setName(name.isEmpty() ? what : what + "-" + name);
        thread.setDaemon(true);
        return thread;
    }

    /** The name of the service in messages, at the beginning of a sentence. */
    public String title() {
        return name.isEmpty() ? "The physics service" : "The physics service '" + name + "'";
    }
}
