package dev.escapement.physics.loop;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.Command;
import dev.escapement.physics.restore.RestoreRefusedException;
import dev.escapement.physics.simulation.PhysicsStats;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickAccess;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.capture.Resimulation;
import dev.escapement.state.event.EventHub;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The access of hooks to a {@link TickLoop}: seeks, re-simulation, late input.
 *
 * <pre>
 *   seek(tick)        restore; the loop continues after that tick; hooks receive sought
 *   resimulate(from)  restore, and capture a shadow snapshot; hooks receive sought; then each tick from..last runs from its
 *                     source, is captured as a shadow snapshot, and hooks receive atRest
 * </pre>
 *
 * <p>A hook or a source may seek only while {@code maySeek}: between two ticks, and not after commands, which a seek would lose.
 *
 * <p>After an exception in the middle of a restore, nothing runs on the simulation any more ({@link RunState}).
 *
 * <p>Physics thread only, except the methods that {@link TickAccess} offers to any thread.
 */
public final class TickControl implements TickAccess {

    private final TickLoop loop;
    private final EventHub.Source contacts;

    // Created in advance, so that ticks do not allocate them.
    private final UserCodeGuard.Call<Exception> hooksReplace;
    private final UserCodeGuard.Call<Exception> sourceReplaces = this::sourceReplaces;

    /** True while a hook or a source may seek or re-simulate, that is, between two ticks. */
    private boolean maySeek;

    /** Whether the simulation's state was replaced since {@link #letHooksReplace} was called. */
    private boolean isReplaced;

    TickControl(TickLoop loop) {
        this.loop = loop;
        contacts = loop.simulation::events;
        hooksReplace = loop.hooks::beforeCommands;
    }

    /**
     * Lets hooks seek or re-simulate, unless commands ran since the last tick, which they must not lose. Returns whether the state was
     * replaced.
     */
    boolean letHooksReplace() throws Exception {
        isReplaced = false;
        if (!loop.tick.hasCommands()) {
            letReplace(hooksReplace);
        }
        return isReplaced;
    }

    /** Lets the source of a replica seek where the source log did, and drops the input that was offered. */
    void beginReplicatedTick() throws Exception {
        letReplace(sourceReplaces);
        loop.idle.dropInput();
    }

    private void sourceReplaces() throws Exception {
        loop.guard.enter();
        loop.source.followSeek(this);
        loop.guard.exit();
    }

    /** Makes a call that may seek or re-simulate. An exception leaves the run half. */
    void letReplace(UserCodeGuard.Call<Exception> call) throws Exception {
        boolean before = loop.state.begin();
        maySeek = true;
        try {
            call.run();
        } finally {
            maySeek = false;
        }
        loop.state.end(before);
    }

    @Override
    public Simulation simulation() {
        return loop.simulation;
    }

    @Override
    public TickRate rate() {
        return loop.settings.rate();
    }

    @Override
    public PoseLayout layout() {
        return loop.settings.layout();
    }

    @Override
    public PhysicsStats stats() {
        return loop.stats;
    }

    @Override
    public long firstTick() {
        return loop.settings.replicated() == null
                ? loop.settings.firstTick()
                : loop.settings.replicated().firstTick();
    }

    @Override
    public boolean mayWait() {
        return loop.settings.mayWaitForDisk();
    }

    @Override
    public boolean follows() {
        return loop.isReplica;
    }

    @Override
    public List<TickHook> hooks() {
        return List.copyOf(loop.settings.hooks());
    }

    @Override
    public void correctContacts(EventHub.Correction correction) {
        loop.events.correctBy(correction);
        loop.capture.resimulation(); // before the first tick, so that it knows each teleport
    }

    @Override
    public long lastSimulationTick() {
        return loop.lastSimulationTick();
    }

    @Override
    public long publishedTick() {
        return loop.schedule.nextPublishedTick() - 1;
    }

    @Override
    public int holdSlots() {
        return loop.reservations.hold();
    }

    private void requireBetweenTicks() {
        if (!maySeek || !loop.guard.isCaller()) {
            throw new IllegalStateException(
                    "a run seeks between two ticks only, on its thread: within begun(), beforeCommands(), or a call of submit(...)");
        }
    }

    private void requireFreeSlots() {
        int reserved = holdSlots();
        if (reserved > 0) {
            throw new IllegalStateException("the run cannot go back now: slots of bodies that are gone (" + reserved
                    + ") are reserved for others; call it again when these were spawned");
        }
    }

    @Override
    public void seek(long tick, Restore how) throws Exception {
        requireBetweenTicks();
        if (loop.isReplica) {
            // A replica must seek: if that needs a reserved slot, the next capture throws, and names it.
            loop.reservations.hold();
        } else {
            requireFreeSlots();
        }
        String what = "be restored to tick " + tick;
        restore(how, null, what);
        try {
            loop.continueAfter(tick);
            loop.tick.clearCommands();
            loop.requests.commands.continueBefore(tick + 1);
            loop.capture.breakMotion();
            loop.hooks.sought(tick, false);
        } catch (Throwable thrown) {
            throw breakRun(thrown, what);
        }
    }

    @Override
    public void resimulate(long from, Restore how, TickSource with, PastTicks past) throws Exception {
        requireBetweenTicks();
        Snapshot latest = loop.writer.latest();
        long last = lastSimulationTick();
        if (latest == null) {
            throw new IllegalStateException("no tick was published yet, so none can be re-simulated");
        }
        if (loop.tick.hasCommands()) {
            throw new IllegalStateException(
                    "commands have run since tick " + last + ", and would be lost if ticks were re-simulated now");
        }
        for (long number = from; number <= last; number++) {
            past.published(number); // throws if this tick cannot be re-simulated, before anything has changed
        }
        requireFreeSlots();
        String what = "re-simulate tick " + from;
        restore(how, () -> loop.capture.resimulation().capture(latest), what);
        maySeek = false;
        try {
            loop.hooks.sought(from - 1, true);
            loop.guard.exit(); // each call of user code below is guarded on its own
            for (long number = from; number <= last; number++) {
                loop.faultTick = number;
                Tick tick = loop.runner.run(with, number, number, past.fromNanos(number), past.dueNanos(number));
                captureShadow(tick, past, latest);
                loop.hooks.atRest(number, loop.capture.bodiesChanged());
            }
            loop.guard.enter();
        } catch (RestoreRefusedException within) {
            // The refusal of a restore within a tick: the state has changed by now.
            throw breakRun(new IllegalStateException(within.getMessage(), within), what);
        } catch (Throwable thrown) {
            throw breakRun(thrown, what);
        }
        maySeek = true;
        loop.faultTick = last + 1;
        loop.stats.resimulated(last - from + 1);
    }

    private void captureShadow(Tick tick, PastTicks past, Snapshot latest) throws Exception {
        Resimulation resimulation = loop.capture.resimulation();
        Snapshot before = resimulation.before(latest);
        loop.guard.enter();
        Snapshot written = resimulation.capture(latest);
        if (tick.eventsWanted()) {
            loop.events.collectInto(past.contacts(tick.number(), written), before, written, contacts);
        }
        loop.guard.exit();
    }

    /** Changes the simulation to another state. Any exception but a refusal breaks the run, also an error of the JVM. */
    private void restore(Restore how, @Nullable Callable<?> atRest, String what) throws Exception {
        try {
            how.restore(atRest);
            isReplaced = true;
            loop.guard.next(); // throws if this thread was abandoned in the restore: then hooks do not receive the seek
        } catch (RestoreRefusedException refused) {
            loop.reservations.releaseHeld();
            throw refused;
        } catch (Throwable thrown) {
            throw breakRun(thrown, what);
        }
    }

    /** Breaks the run: it ends with {@code thrown}, waiting commands fail with that, and nothing runs on the simulation any more. */
    private Exception breakRun(Throwable thrown, String what) {
        loop.state.breakBy(thrown);
        loop.guard.enter(); // the caller is in user code, but a re-simulated tick may have thrown outside of it
        loop.requests.commands.end(new IllegalStateException(
                "the simulation could not " + what + ", and cannot go on: " + thrown, thrown));
        if (thrown instanceof Error error) {
            throw error;
        }
        return (Exception) thrown;
    }

    @Override
    public InputSampler input() {
        return loop.sampler;
    }

    @Override
    public void droppedLate(InputEvent event, String why) {
        if (loop.stats.droppedLateInput() == 1) {
            String what = event.toString();
            FailureReport.warn(() -> loop.settings.title() + " has dropped " + what + ", which came too late: " + why
                    + ". Let the history and its rollBack keep more ticks. It is the first; those after it are only counted, in"
                    + " stats().droppedLateInputs().");
        }
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<Answer<T>> submit(String name, Command<T> run) {
        return loop.requests.submit(name, tick -> {
            maySeek = true;
            try {
                return run.run(tick);
            } finally {
                maySeek = false;
            }
        });
    }
}
