package dev.escapement.physics;

import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.input.InputSource;
import dev.escapement.state.input.PausedInputListener;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.thread.ThreadPolicy;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.WaitStrategy;
import dev.escapement.state.time.Waiter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The settings of a {@link PhysicsServiceBuilder}, with their defaults. A loop freezes and then reads them. Set by one thread. */
abstract class Settings {

    static final TickObserver NO_OBSERVER = new TickObserver() {};

    private static final long MAX_DAYS = 36_525;

    final Simulation simulation;
    String name = "";
    TickRate rate = TickRate.hertz(100);
    long firstTick = 1;
    int windowSize = 3;
    int maxReaders = 4;
    int preallocatedBodies;
    PoseLayout layout = PoseLayout.PLAIN;
    int inputCapacity = 8192;
    LateTicks lateTicks = LateTicks.skip();
    WaitStrategy waitStrategy = WaitStrategy.PARK_THEN_SPIN;
    double spinShare = Pacer.DEFAULT_SPIN_SHARE;
    Waiter waiter = Waiter.system(); // tests replace it
    ThreadFactory threads = Thread::new; // and this
    int commandCapacity = 4096;
    int commandsPerTick = 1024;
    long watchdogNanos;

    @Nullable
    ThreadPolicy threadPolicy;

    long closeTimeoutNanos = TimeUnit.SECONDS.toNanos(5); // tests shorten it
    final List<InputSource> sources = new ArrayList<>();

    @Nullable
    PausedInputListener pausedInput;

    @Nullable
    Consumer<? super Throwable> onFailure;

    @Nullable
    TickRecorder recorder;

    TickObserver observer = NO_OBSERVER;

    @Nullable
    TickHistory history;

    /** How late input may change ticks that have run; 0 if late input is for the next tick. */
    int rollBackTicks;

    /** Where the run begins, if it is a fork of another one. */
    TickHistory.@Nullable Past past;

    TickSource.@Nullable Run run;

    boolean checksums;
    TickListener listener = (tick, dueNanos, startedNanos, steppedNanos, publishedNanos) -> {};
    boolean mayWaitForDisk; // whether a recording may delay ticks, in an inline driver
    private boolean used;

    Settings(Simulation simulation) {
        this.simulation = simulation;
    }

    /** Checks the settings; they cannot be changed afterwards. Called by the loop that reads them. */
    final void freeze() {
        requireUnused();
        used = true;
        if (!(spinShare >= 0 && spinShare <= 1)) {
            throw new IllegalArgumentException("the share of a core to spin must be within 0 and 1, but is " + spinShare
                    + "; the default is " + Pacer.DEFAULT_SPIN_SHARE);
        }
        if (run != null && !rate.equals(run.rate())) {
            throw new IllegalArgumentException(
                    "the log says " + run.rate() + ", but ticks are to run at " + rate + "; set both to the same rate");
        }
        if (rollBackTicks > 0 && history == null) {
            throw new IllegalArgumentException("to roll back " + rollBackTicks
                    + " ticks, a run needs the states before them; call history(StateHistory.ofTicks(" + rollBackTicks
                    + ")), or leave out rollBack");
        }
        if (rollBackTicks > 0 && run != null) {
            throw new IllegalArgumentException("a run cannot roll back while it follows another, because no tick takes"
                    + " what is offered here; leave out rollBack");
        }
        long maxTick = rate.tickAt(TimeUnit.DAYS.toNanos(MAX_DAYS));
        if (firstTick < 1 || firstTick > maxTick) {
            throw new IllegalArgumentException("at " + rate + " the first tick must be 1 to " + maxTick + ", but is "
                    + firstTick + "; to continue another service, it is lastTick() + 1");
        }
        if ((firstTick > 1 || past != null) && (run != null || recorder != null)) {
            throw new IllegalArgumentException("a log has every tick from 1 on, but the first tick is to be "
                    + firstTick + "; leave out firstTick, or record and replay nothing");
        }
    }

    static long requireWatchdog(long limitMillis) {
        if (limitMillis < UserCodeGuard.Watchdog.LOOKS) {
            throw new IllegalArgumentException("the watchdog's limit must be at least " + UserCodeGuard.Watchdog.LOOKS
                    + " ms, but is " + limitMillis + " ms; leave it out to have none");
        }
        return limitMillis;
    }

    static int requireTicks(int ticks) {
        if (ticks < 1) {
            throw new IllegalArgumentException("to roll back, 1 tick or more must be able to run again, but not "
                    + ticks + "; leave it out to run none");
        }
        return ticks;
    }

    /** Begins with the past of another run, after one of its ticks. */
    final void beginWith(TickHistory.Past newPast, long tick, Settings other) {
        past = newPast;
        firstTick = tick + 1;
        rate = other.rate;
        layout = other.layout;
    }

    /** The service, as messages call it. */
    final String title() {
        return name.isEmpty() ? "The physics service" : "The physics service '" + name + "'";
    }

    /** Call it before each change. */
    final void requireUnused() {
        if (used) {
            throw new IllegalStateException("this builder has built before; make another with another simulation");
        }
    }
}
