package dev.escapement.physics;

import dev.escapement.physics.TickHistory.Past;
import dev.escapement.physics.command.Answer;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets a loop go back to a tick that its history keeps. From then on ticks have two numbers: that of the simulation, which has gone back,
 * and that of readers, which goes on.
 *
 * <p>The thread that ticks makes all calls, except {@link #rewind} and {@link #fork}, which any thread makes.
 */
final class Rewinder {

    private final TickLoop loop;
    private final @Nullable TickHistory history;

    /** Whether {@link #correct} is to be called. */
    final boolean corrects;

    /** By how much the simulation's numbers are behind those of readers. */
    private long behind;

    private boolean wentBack;

    /** Runs ticks again when their input comes late. */
    final Rollback rollback;

    /** What the listener has not been told yet. */
    private @Nullable Rewound untold;

    /** What was thrown while restoring, or before the first tick: the simulation cannot be used any more. */
    private @Nullable Throwable halfway;

    /** The thread that runs a tick. Plain: each thread only compares it with itself. */
    private @Nullable Thread ticking;

    /** Begins the history, which refuses a simulation that it cannot save. */
    Rewinder(TickLoop loop) {
        this.loop = loop;
        history = loop.settings.history;
        corrects = history != null && history.corrects();
        if (history != null) {
            Settings s = loop.settings;
            if (corrects && (s.run != null || s.recorder != null || s.observer != Settings.NO_OBSERVER)) {
                throw new IllegalArgumentException(
                        "a run that is corrected cannot be recorded or follow another, because no log"
                                + " can say so yet; leave out one of the two");
            }
            history.begin(loop.simulation, loop.settings.rate);
            if (history.ticks() < loop.settings.rollBackTicks) {
                throw new IllegalArgumentException("to roll back " + loop.settings.rollBackTicks
                        + " ticks, a run needs the states before them, but the history keeps " + history.ticks()
                        + " ticks; let it keep as many");
            }
        }
        rollback = new Rollback(loop, this, loop.settings.rollBackTicks);
    }

    /** The simulation's number of a tick that readers know by another, and that is the next one or the last one. */
    long simulated(long published) {
        return published - behind;
    }

    /** Restores the past with which the run begins, if it is a fork, and saves the state. */
    void start() throws Exception {
        throwIfHalfway();
        Past past = loop.settings.past;
        try {
            if (past != null) {
                past.restore(loop.simulation, true, null);
                loop.sampler.hold(past.input());
                endDragOf(past); // who drags offers it to the other run
            }
            if (history != null) {
                history.start(loop.schedule.nextTick() - 1, past != null && past.isDragging());
            }
        } catch (Throwable thrown) { // a driver may try again, but a past restores once
            halfway = thrown;
            throw thrown;
        }
    }

    void beginTick() {
        throwIfHalfway();
        ticking = Thread.currentThread();
    }

    void endTick() {
        ticking = null;
    }

    /** Called before the step of a tick that has sampled its input. */
    void sampled(Tick tick, long fromNanos) {
        if (loop.source == loop.origin) {
            rollback.sampled(tick.number(), fromNanos, tick.dueNanos());
        }
    }

    void stepped(Tick tick, boolean localRan) {
        if (history != null) {
            history.stepped(tick, loop.requests.ran, localRan);
        }
    }

    /** Called when a tick was published. */
    void published(long tick, boolean bodiesChanged) {
        if (history != null) {
            history.published(tick, bodiesChanged);
            rollback.published(tick);
        }
    }

    /** Called when a tick was taken: the run that is followed may have gone back before it, and the simulation with it. */
    void taken(TickSource source, long number) {
        long to = source.wentBackTo();
        if (to >= 0) {
            loop.capture.holdSlots(); // if some are reserved, the capture names the first that it needs
            if (history != null) {
                forgetAfter(history, to);
            }
            wentBack(toTell(number, to));
        }
    }

    private static void forgetAfter(TickHistory kept, long tick) {
        Past past;
        try {
            past = kept.past(tick);
        } catch (IllegalArgumentException notKept) {
            return; // it begins anew with the next tick, which does not follow its last one
        }
        kept.wentBack(tick, past.input());
    }

    /** What the listener is to be told now, null if nothing. */
    @Nullable
    Rewound takeUntold() {
        Rewound told = untold;
        untold = null;
        return told;
    }

    /** Whether the commands that ran have let the run go back since this was asked last. Throws what was thrown while restoring. */
    boolean wentBack() {
        throwIfHalfway();
        boolean went = wentBack;
        wentBack = false;
        return went;
    }

    /** Throws what {@link #change} has thrown, if anything. */
    void throwIfHalfway() {
        if (halfway != null) {
            throw unchecked(halfway);
        }
    }

    private static RuntimeException unchecked(Throwable thrown) {
        if (thrown instanceof Error error) {
            throw error;
        }
        return thrown instanceof RuntimeException unchecked && !(thrown instanceof RestoreRefusedException)
                ? unchecked
                : new IllegalStateException("the simulation could not go back: " + thrown, thrown);
    }

    /** Whether the run may go back. Any thread. */
    boolean canRewind() {
        return history != null && loop.settings.run == null;
    }

    /** Offers a command that goes back. Any thread. */
    CompletableFuture<Rewound> rewind(long tick, boolean again) {
        TickHistory kept = requireHistory();
        if (loop.settings.run != null) {
            throw new IllegalStateException(
                    "a run cannot go back while it follows another; fork(...) begins another run at that tick");
        }
        if (ticking == Thread.currentThread()) {
            throw new IllegalStateException("tick " + simulated(loop.schedule.nextTick())
                    + " runs, and cannot go back within itself; call rewind on another thread, or between two ticks");
        }
        return loop.requests
                .commands
                .offer(next -> goBack(kept, tick, again), null, "rewind(" + tick + ")")
                .thenApply(Answer::value);
    }

    /** Begins another run at a tick. Any thread. */
    CompletableFuture<PhysicsServiceBuilder> fork(long tick, Supplier<? extends Simulation> factory) {
        Objects.requireNonNull(
                factory, "factory must not be null; pass what makes a simulation that is built like this one");
        TickHistory kept = requireHistory();
        Simulation simulation = Objects.requireNonNull(
                factory.get(), "the factory must not return null; it makes a simulation that is built like this one");
        return loop.requests
                .commands
                .offer(next -> kept.past(tick), null, "fork(" + tick + ")")
                .thenApply(answer -> {
                    PhysicsServiceBuilder builder = new PhysicsServiceBuilder(simulation);
                    builder.beginWith(answer.value(), tick, loop.settings);
                    return builder;
                })
                .whenComplete((builder, refused) -> {
                    if (refused != null) {
                        simulation.close();
                    }
                });
    }

    TickHistory requireHistory() {
        Throwable ended = loop.requests.commands.ended();
        if (history == null && ended != null) {
            throw new IllegalStateException(ended.getMessage(), ended);
        }
        if (history == null) {
            throw new IllegalStateException("there is no past to go back to; give the builder a history(...)");
        }
        return history;
    }

    private Rewound goBack(TickHistory kept, long tick, boolean again) throws Exception {
        long next = loop.schedule.nextTick();
        Past past = kept.past(tick);
        TickSource after = again ? past.after(loop.source) : loop.origin;
        int reserved = loop.capture.holdSlots();
        if (reserved > 0) {
            throw new IllegalStateException("the run cannot go back now: slots of bodies that are gone (" + reserved
                    + ") are reserved for others; call it again when these were spawned");
        }
        Rewound rewound = new Rewound(simulated(next) - 1, tick, next - 1);
        Rewound toTell = toTell(next, tick); // in advance, because nothing may throw once the simulation is restored
        RestoreRefusedException refused = change(() -> restore(past, tick, null), "be restored to tick " + tick);
        if (refused != null) {
            throw refused;
        }
        went(toTell, after.isReady() ? after : loop.origin);
        if (loop.source == loop.origin) {
            endDragOf(past); // its end may be in a tick that was dropped
        }
        return rewound;
    }

    /** Puts right what the history says is wrong; after the next tick, if commands ran since the last one, which must not be lost. */
    void correct() {
        if (history == null || loop.requests.hasRan()) {
            return;
        }
        long next = loop.schedule.nextTick();
        long last = simulated(next) - 1;
        Callable<Long> correction = history.correction(last);
        if (correction == null || loop.capture.holdSlots() > 0) {
            return;
        }
        Callable<Long> corrects = () -> {
            long now = correction.call();
            Snapshot latest = loop.writer.latest();
            if (now == last && latest != null) {
                loop.capture.captureAside(latest); // from which pictures fade what was wrong
            }
            return now;
        };
        long now = change(corrects, "be corrected after tick " + last);
        if (now >= 0 && now != last) {
            went(toTell(next, now), loop.origin);
            if (now < last) {
                loop.sampler.endDrag(); // its end may be in a tick that was dropped
            }
        }
    }

    /**
     * Changes the simulation to another state. If that throws, also an error of the JVM, or in the middle, nothing runs on it any more:
     * what it has thrown is reported, waiting commands fail with it, and each later call throws it.
     */
    <T extends @Nullable Object> T change(Callable<T> change, String what) {
        try {
            return change.call();
        } catch (Throwable thrown) {
            halfway = thrown;
            loop.fault(TickFault.Reason.THREW, thrown);
            loop.requests.commands.end(new IllegalStateException(
                    "the simulation could not " + what + ", and cannot go on: " + thrown, thrown));
            throw unchecked(thrown);
        }
    }

    /** Goes on after a tick to which the simulation was restored. */
    private void went(Rewound toTell, TickSource source) {
        rollback.forget();
        loop.source = source;
        wentBack(toTell);
        wentBack = true;
    }

    private void endDragOf(Past past) {
        if (past.isDragging()) {
            loop.sampler.endDrag();
        }
    }

    private Rewound toTell(long next, long tick) {
        return new Rewound(untold == null ? simulated(next) - 1 : untold.from(), tick, next - 1);
    }

    private void wentBack(Rewound toTell) {
        long tick = toTell.to();
        behind = toTell.published() - tick;
        untold = toTell;
        loop.requests.forgetRan();
        loop.requests.commands.continueBefore(tick + 1);
        loop.capture.breakMotion();
        noteWentBack(tick);
    }

    /** Lets what records the run note that it went back. */
    void noteWentBack(long tick) {
        if (loop.settings.recorder != null) {
            loop.settings.recorder.wentBack(tick);
        }
        loop.observer.wentBack(tick);
    }

    /**
     * Restores a past, and lets the history go on from there. Part of a {@link #change}. Returns why the simulation has refused it, and is
     * as it was; null if it was restored.
     */
    @Nullable
    RestoreRefusedException restore(Past past, long tick, @Nullable Callable<?> capture) throws Exception {
        try {
            past.restore(loop.simulation, false, capture);
        } catch (RestoreRefusedException refused) {
            loop.capture.letSlotsGo();
            return refused;
        }
        requireHistory().wentBack(tick, past.input());
        return null;
    }
}
