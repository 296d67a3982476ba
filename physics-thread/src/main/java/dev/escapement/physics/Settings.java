package dev.escapement.physics;

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

/** What a {@link PhysicsServiceBuilder} was told, as one service or driver reads it. Never changes. */
final class Settings {

    private static final long MAX_DAYS = 36_525;

    final Simulation simulation;
    final String name;
    final TickRate rate;
    final long firstTick;
    final int windowSize;
    final int maxReaders;
    final int preallocatedBodies;
    final PoseLayout layout;
    final int inputCapacity;
    final LateTicks lateTicks;
    final WaitStrategy waitStrategy;
    final Waiter waiter;
    final ThreadFactory threads;
    final int commandCapacity;
    final int commandsPerTick;
    final long watchdogNanos;
    final @Nullable ThreadPolicy threadPolicy;
    final long closeTimeoutNanos;
    final List<InputSource> devices;
    final @Nullable PausedListener pausedInput;
    final @Nullable Consumer<? super Throwable> onFailure;
    final List<TickHook> hooks;
    final TickSource.@Nullable Run followed;
    final boolean checksums;
    final boolean rests;

    /** Whether hooks may delay ticks: in an inline driver. */
    final boolean mayWaitForDisk;

    /** Whether the thread that ticks does other work between two ticks. */
    final boolean sharesThread;

    /** What runs the ticks. */
    enum Runner {
        OWN_THREAD,
        HOST,
        CALLER
    }

    /** Copies what the builder was told, and refuses what cannot be together. */
    Settings(PhysicsServiceBuilder builder, Runner runner) {
        boolean inline = runner == Runner.CALLER;
        sharesThread = runner != Runner.OWN_THREAD;
        simulation = builder.simulation;
        name = builder.name;
        rate = builder.rate;
        firstTick = builder.firstTick;
        windowSize = builder.windowSize;
        maxReaders = builder.maxReaders;
        preallocatedBodies = builder.preallocatedBodies;
        layout = builder.layout;
        inputCapacity = builder.inputCapacity;
        lateTicks = builder.lateTicks != null ? builder.lateTicks : inline ? LateTicks.catchUp() : LateTicks.dilate();
        waitStrategy = builder.waitStrategy;
        waiter = builder.waiter;
        threads = builder.threads;
        commandCapacity = builder.commandCapacity;
        commandsPerTick = builder.commandsPerTick;
        watchdogNanos = builder.watchdogNanos;
        threadPolicy = builder.threadPolicy;
        closeTimeoutNanos = builder.closeTimeoutNanos;
        // Not in a driver, whose thread may change what it ticks between two ticks.
        Stream<InputSource> own = inline ? Stream.empty() : simulation.capability(InputSource.class).stream();
        devices = Stream.concat(own, builder.devices.stream()).distinct().toList(); // the user may have added it, too
        pausedInput = builder.pausedInput;
        onFailure = builder.onFailure;
        hooks = List.copyOf(builder.hooks);
        followed = builder.followed;
        checksums = builder.checksums;
        rests = builder.rests && devices.isEmpty() && followed == null;
        mayWaitForDisk = inline;
        if (followed != null && !rate.equals(followed.rate())) {
            throw new IllegalArgumentException("the run that is followed says " + followed.rate()
                    + ", but ticks are to run at " + rate + "; set both to the same rate");
        }
        if (threadPolicy != null && runner == Runner.HOST) {
            throw new IllegalArgumentException("the policy of threads " + threadPolicy
                    + " is for a service with a thread of its own; give it to the host, whose threads tick this one");
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
    }

    /** A new thread of the service; it is a daemon. */
    Thread newThread(Runnable work, String what) {
        Thread thread = threads.newThread(work);
        thread.setName(name.isEmpty() ? what : what + "-" + name);
        thread.setDaemon(true);
        return thread;
    }

    /** The service, as messages call it. */
    String title() {
        return name.isEmpty() ? "The physics service" : "The physics service '" + name + "'";
    }
}
