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
import dev.escapement.state.event.EventHub;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.RecordedInput;
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
 * <p>After an exception in the middle of a restore, {@code broken} has it, and nothing runs on the simulation any more.
 *
 * <p>Physics thread only, except the methods that {@link TickAccess} offers to any thread.
 */
public final class TickControl implements TickAccess {

    private final TickLoop loop;
    private final EventHub.Source contacts;

    // Created in advance, so that ticks do not allocate them.
    private final UserCodeGuard.Call<Exception> hooksSeek;
    private final UserCodeGuard.Call<Exception> sourceSeek = this::sourceSeek;

    private @Nullable Throwable broken;

    /** True while a hook or a source may seek or re-simulate, that is, between two ticks. */
    private boolean maySeek;

    /** Whether a hook or a source has replaced the simulation's state since {@link TickLoop} last cleared this. */
    boolean hasReplacedState;

    TickControl(TickLoop loop) {
        this.loop = loop;
        contacts = loop.simulation::events;
        hooksSeek = loop.hooks::between;
    }

    /** Calls {@code start} of all hooks, where a hook may seek to a saved state. */
    void start() throws Exception {
        loop.runningTick = lastTick() + 1;
        letSeek(loop.hooks::start);
    }

    /** Lets hooks seek or re-simulate, unless commands ran since the last tick, which they must not lose. */
    void letHooksSeek() throws Exception {
        if (!loop.hooks.isEmpty() && loop.requests.ran.isEmpty()) {
            letSeek(hooksSeek);
        }
    }

    void letSourceSeek() throws Exception {
        letSeek(sourceSeek);
    }

    private void sourceSeek() throws Exception {
        loop.guard.enter();
        loop.source.followSeek(this);
        loop.guard.exit();
    }

    private void letSeek(UserCodeGuard.Call<Exception> call) throws Exception {
        maySeek = true;
        try {
            call.run();
        } catch (Throwable thrown) {
            broken = thrown;
            throw thrown;
        } finally {
            maySeek = false;
        }
    }

    /** Whether a hook threw, or a restore failed: nothing may run on the simulation any more. */
    public boolean isBroken() {
        return broken != null;
    }

    /** Ends the run, by a throw, if a command left the simulation half restored, or a hook threw when it received a command. */
    void requireWhole() throws Exception {
        Throwable thrown = broken == null ? loop.hooks.thrownAtCommand() : broken;
        broken = thrown;
        if (thrown instanceof Error error) {
            throw error;
        }
        if (thrown != null) {
            throw (Exception) thrown;
        }
    }

    @Override
    public Simulation simulation() {
        return loop.simulation;
    }

    @Override
    public TickRate rate() {
        return loop.settings.rate;
    }

    @Override
    public PoseLayout layout() {
        return loop.settings.layout;
    }

    @Override
    public PhysicsStats stats() {
        return loop.meters.stats;
    }

    @Override
    public long firstTick() {
        return loop.settings.followed == null ? loop.settings.firstTick : loop.settings.followed.firstTick();
    }

    @Override
    public boolean mayWait() {
        return loop.settings.mayWaitForDisk();
    }

    @Override
    public boolean follows() {
        return loop.follows();
    }

    @Override
    public List<TickHook> hooks() {
        return List.copyOf(loop.settings.hooks);
    }

    @Override
    public void correctContacts(EventHub.Correction correction) {
        loop.events.correctBy(correction);
    }

    @Override
    public void keepLateInput() {
        loop.sampler.keepLateEvents();
    }

    @Override
    public long lastTick() {
        return loop.lastTick();
    }

    @Override
    public long publishedTick() {
        return loop.schedule.nextTick() - 1;
    }

    @Override
    public int holdSlots() {
        return loop.capture.holdSlots();
    }

    private void requireBetweenTicks() {
        if (!maySeek || !loop.guard.isCaller()) {
            throw new IllegalStateException(
                    "a run seeks between two ticks only, on its thread: within start(), between(), or what between(...) runs");
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
        if (follows()) {
            // A replica must seek: if that needs a reserved slot, the next capture throws, and names it.
            loop.capture.holdSlots();
        } else {
            requireFreeSlots();
        }
        String what = "be restored to tick " + tick;
        restore(how, null, what);
        try {
            loop.continueAfter(tick);
            loop.requests.ran.clear();
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
        Snapshot latest = loop.exchange.writer().latest();
        long last = lastTick();
        if (latest == null) {
            throw new IllegalStateException("no tick was published yet, so none can be re-simulated");
        }
        if (!loop.requests.ran.isEmpty()) {
            throw new IllegalStateException(
                    "commands have run since tick " + last + ", and would be lost if ticks were re-simulated now");
        }
        for (long number = from; number <= last; number++) {
            past.published(number); // throws if this tick cannot be re-simulated, before anything has changed
        }
        requireFreeSlots();
        String what = "re-simulate tick " + from;
        restore(how, () -> loop.capture.captureShadow(latest), what);
        maySeek = false;
        try {
            loop.hooks.sought(from - 1, true);
            loop.guard.exit(); // each call of user code below is guarded on its own
            for (long number = from; number <= last; number++) {
                loop.runningTick = number;
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
        loop.runningTick = last + 1;
        loop.meters.stats.resimulated(last - from + 1);
    }

    private void captureShadow(Tick tick, PastTicks past, Snapshot latest) throws Exception {
        Snapshot before = loop.capture.before(latest);
        loop.guard.enter();
        Snapshot written = loop.capture.captureShadow(latest);
        if (tick.eventsWanted() && before != null) {
            loop.events.collectInto(past.contacts(tick.number(), written), before, written, contacts);
        }
        loop.guard.exit();
    }

    /** Changes the simulation to another state. Any exception but a refusal breaks the run, also an error of the JVM. */
    private void restore(Restore how, @Nullable Callable<?> atRest, String what) throws Exception {
        try {
            how.restore(atRest);
            hasReplacedState = true;
            loop.guard.next(); // throws if this thread was abandoned in the restore: then hooks do not receive the seek
        } catch (RestoreRefusedException refused) {
            loop.capture.releaseSlots();
            throw refused;
        } catch (Throwable thrown) {
            throw breakRun(thrown, what);
        }
    }

    /** Breaks the run: it ends with {@code thrown}, waiting commands fail with that, and nothing runs on the simulation any more. */
    private Exception breakRun(Throwable thrown, String what) {
        broken = thrown;
        loop.guard.enter(); // the caller is in user code, but a re-simulated tick may have thrown outside of it
        loop.requests.commands.end(new IllegalStateException(
                "the simulation could not " + what + ", and cannot go on: " + thrown, thrown));
        if (thrown instanceof Error error) {
            throw error;
        }
        return (Exception) thrown;
    }

    @Override
    public @Nullable InputEvent nextLate() {
        loop.sampler.drainRing();
        return loop.sampler.nextLate();
    }

    @Override
    public InputEvent takeLate() {
        return loop.sampler.takeLate();
    }

    @Override
    public void dropLate(String why) {
        String what = String.valueOf(loop.sampler.nextLate());
        loop.sampler.dropLate();
        if (loop.meters.stats.droppedLateInput() == 1) {
            FailureReport.warn(() -> loop.settings.title() + " has dropped " + what + ", which came too late: " + why
                    + ". Let the history and its rollBack keep more ticks. It is the first; those after it are only counted, in"
                    + " stats().droppedLateInputs().");
        }
    }

    @Override
    public void continueInput(InputFrame had, RecordedInput now) {
        loop.sampler.adoptLevels(had, now);
    }

    @Override
    public void holdInput(InputFrame input) {
        loop.sampler.beginWith(input);
    }

    @Override
    public void continueInputFrom(InputFrame past) {
        loop.sampler.reportSendersSince(past);
    }

    @Override
    public void endDrag() {
        loop.sampler.endAnyDrag();
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<Answer<T>> between(String name, Command<T> run) {
        return loop.requests.between(name, tick -> {
            maySeek = true;
            try {
                return run.run(tick);
            } finally {
                maySeek = false;
            }
        });
    }
}
