package dev.escapement.physics.loop;

import dev.escapement.physics.PhysicsServiceBuilder;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The settings of a service or driver, which its {@link PhysicsServiceBuilder} fills in. Never changes once it is {@link #complete}. */
public final class Settings {

    private static final long MAX_DAYS = 36_525;

    public final Simulation simulation;
    public String name = "";
    public TickRate rate = TickRate.hertz(100);
    public long firstTick = 1;
    public int windowSize = 3;
    public int maxReaders = 4;
    public int preallocatedBodies;
    public PoseLayout layout = PoseLayout.PLAIN;
    public int inputCapacity = 8192;
    public WaitStrategy waitStrategy = WaitStrategy.PARK_THEN_SPIN;
    public Waiter waiter = Waiter.system(); // tests replace it
    public ThreadFactory threads = Thread::new; // tests replace it
    public int commandCapacity = 4096;
    public int commandsPerTick = 1024;
    public long watchdogNanos;
    public long closeTimeoutNanos = TimeUnit.SECONDS.toNanos(5); // tests shorten it

    @Nullable
    public ThreadPolicy threadPolicy;

    @Nullable
    public PausedListener pausedInput;

    @Nullable
    public Consumer<? super Throwable> onFailure;

    public TickSource.@Nullable Run followed;

    public List<TickHook> hooks = new ArrayList<>();
    public boolean checksums;

    /** Null stands for the default, which depends on the kind of thread that runs the ticks. */
    @Nullable
    public LateTicks lateTicks;

    public List<InputSource> devices = new ArrayList<>();

    private Runner runner = Runner.OWN_THREAD;

    public Settings(Simulation simulation) {
        this.simulation = simulation;
    }

    /** The kind of thread that runs the ticks. */
    public enum Runner {
        OWN_THREAD,
        HOST,

        /** A host whose time stands still while ticks run. */
        LOCK_STEP_HOST,

        CALLER
    }

    /** Refuses settings that contradict each other; else sets the runner, on which some defaults depend. */
    public void complete(Runner newRunner) {
        if (followed != null && !rate.equals(followed.rate())) {
            throw new IllegalArgumentException("the run that is followed says " + followed.rate()
                    + ", but ticks are to run at " + rate + "; set both to the same rate");
        }
        if (threadPolicy != null && (newRunner == Runner.HOST || newRunner == Runner.LOCK_STEP_HOST)) {
            throw new IllegalArgumentException(
                    "the policy of threads " + threadPolicy
                            + " is for a service with a thread of its own; leave it out in a host, whose threads ask for nothing");
        }
        long maxTick = rate.tickAt(TimeUnit.DAYS.toNanos(MAX_DAYS));
        if (firstTick < 1 || firstTick > maxTick) {
            throw new IllegalArgumentException("at " + rate + " the first tick must be 1 to " + maxTick + ", but is "
                    + firstTick + "; to continue another service, it is lastTick() + 1");
        }
        if (firstTick > 1 && followed != null) {
            throw new IllegalArgumentException("a log has every tick from 1 on, but the first tick is to be "
                    + firstTick + "; leave out firstTick, or replay nothing");
        }
        runner = newRunner;
    }

    /** The devices: the simulation's own, then the added ones. */
    public List<InputSource> devices() {
        // A driver polls no source of the simulation: such a source reports changes between two ticks, and in a driver
        // the caller itself makes these.
        Stream<InputSource> own =
                runner == Runner.CALLER ? Stream.empty() : simulation.capability(InputSource.class).stream();
        // Distinct: a user may have added such a source, too.
        return Stream.concat(own, devices.stream()).distinct().toList();
    }

    public LateTicks lateTicks() {
        if (runner == Runner.LOCK_STEP_HOST) {
            // One step may make several ticks due: all must run, though all but the last are late.
            return LateTicks.catchUp();
        }
        LateTicks usual = runner == Runner.CALLER ? LateTicks.catchUp() : LateTicks.dilate();
        return lateTicks == null ? usual : lateTicks;
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
