package dev.escapement.physics.loop;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.Command;
import dev.escapement.physics.restore.RestoreRefusedException;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickAccess;
import dev.escapement.physics.spi.TickFault;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.capture.Capture;
import dev.escapement.state.event.EventHub;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The access of hooks to a run: seeks, re-simulation, late input; and the two numbers of a tick.
 *
 * <pre>
 *   seek(tick)        restore; source = another one, or the main one; tickOffset = published - simulated; hooks receive sought
 *   resimulate(from)  restore, and capture a shadow snapshot; hooks receive sought; then each tick from..last runs from its
 *                     source, is captured as a shadow snapshot, and hooks receive atRest
 * </pre>
 *
 * <p>{@link TickLoop} calls the methods that {@link TickAccess} does not have. A hook may seek only while {@code maySeek}: between two
 * ticks, and not after commands, which a seek would lose.
 *
 * <p>After an exception in the middle of a restore, {@code broken} has it, and nothing runs on the simulation any more.
 *
 * <p>Physics thread only, except the methods that {@link TickAccess} offers to any thread.
 */
public final class TickControl implements TickAccess {

    private final Settings settings;
    private final TickSchedule schedule;
    private final SnapshotWriter writer;
    private final Capture capture;
    private final InputSampler sampler;
    private final EventHub events;
    private final EventHub.Source contacts;
    private final UserCodeGuard guard;
    private final Hooks hooks;
    private final Requests requests;
    private final TickRunner runner;
    private final RunStats stats;
    private final TickSource mainSource;

    /** Created in advance, because a run that follows another makes this call before each tick. */
    private final UserCodeGuard.Call<Exception> followSeek = () -> source().followSeek(this);

    private final boolean follows;
    private TickSource source;

    /** The readers' number of a tick less that of the simulation. */
    private long tickOffset;

    /** The tick that runs, or is re-simulated, or is next: the tick of a failure. */
    private long running;

    /** The cause of the end of the run: a hook threw, or a restore failed. */
    private @Nullable Throwable broken;

    /** True while a hook may seek or re-simulate, that is, between two ticks. */
    private boolean maySeek;

    private boolean reportedDivergence;

    /** Opens the source log, if there is one, which may refuse the simulation. */
    TickControl(TickLoop loop, ExecutedCommands ran) {
        settings = loop.settings;
        schedule = loop.schedule;
        writer = loop.exchange.writer();
        capture = loop.capture;
        sampler = loop.sampler;
        events = loop.events;
        guard = loop.guard;
        hooks = loop.hooks;
        requests = loop.requests;
        stats = loop.meters.stats;
        runner = new TickRunner(settings.simulation, settings.rate, guard, hooks, events, ran);
        contacts = settings.simulation::events;
        mainSource = settings.followed == null ? new LiveTicks(sampler) : settings.followed.open(settings.simulation);
        source = mainSource;
        follows = settings.followed != null;
    }

    /** The source of ticks, unless a seek replaces it for a while. The loop closes it. */
    public TickSource mainSource() {
        return mainSource;
    }

    @Override
    public TickSource source() {
        return source;
    }

    @Override
    public boolean takesOfferedInput() {
        return source == mainSource && !follows();
    }

    /** Converts the readers' number of a tick into that of the simulation. Only for the last tick and the next one. */
    long simulated(long published) {
        return published - tickOffset;
    }

    /** The tick for which a failure is reported. */
    long running() {
        return running;
    }

    /** Lets hooks seek or re-simulate, unless commands ran since the last tick, which they must not lose. */
    void letHooksSeek(long published) throws Exception {
        running = simulated(published);
        if (!hooks.isEmpty() && requests.ran.isEmpty()) {
            maySeek = true;
            try {
                hooks.between();
            } catch (Throwable thrown) {
                broken = thrown;
                throw thrown;
            } finally {
                maySeek = false;
            }
            running = simulated(published);
        }
    }

    /** Lets hooks begin, perhaps from another state. */
    void start() throws Exception {
        running = lastTick() + 1;
        maySeek = true;
        try {
            hooks.start();
        } catch (Throwable thrown) {
            broken = thrown;
            throw thrown;
        } finally {
            maySeek = false;
        }
    }

    /** Passes hooks the exception of the tick that {@linkplain #running() runs}, which has ended a service. Any thread. */
    public void fault(TickFault.Reason reason, Throwable thrown) {
        hooks.fault(reason, running, thrown, "");
    }

    /** Whether a hook threw, or a restore failed: nothing may run on the simulation any more. */
    public boolean isBroken() {
        return broken != null;
    }

    /** Seeks before a tick, where the source log did. */
    void followSeek(long published) throws Exception {
        if (takesOfferedInput()) {
            return;
        }
        maySeek = true;
        try {
            guard.call(followSeek);
        } finally {
            maySeek = false;
        }
        running = simulated(published);
    }

    /** Ends the run, by a throw, if a command left the simulation half restored, or a hook threw when it received a command. */
    void requireWhole() throws Exception {
        Throwable thrown = broken == null ? hooks.thrownAtCommand() : broken;
        broken = thrown;
        if (thrown instanceof Error error) {
            throw error;
        }
        if (thrown != null) {
            throw (Exception) thrown;
        }
    }

    /** Runs the next tick up to its step. */
    Tick step(MeasuredTimes times, double budgetUsed) throws Exception {
        running = simulated(times.tick);
        return runner.runToStep(source, times.tick, running, times.fromNanos, times.dueNanos, budgetUsed, true);
    }

    /** Notifies hooks of the finished step, and compares its hash with the source log. */
    void stepped() {
        runner.end(source);
        reportDivergence();
    }

    /** Called when the readers' next tick was published without a step. */
    void publishedWithoutStep() {
        tickOffset++;
    }

    /** Called when a tick was published. */
    void published() {
        if (source != mainSource && !source.isReady()) {
            source = mainSource; // here, because the rest of the tick may throw
        }
    }

    private void reportDivergence() {
        if (follows() && !reportedDivergence) {
            source.divergence().ifPresent(found -> {
                reportedDivergence = true;
                guard.call(() -> hooks.fault(TickFault.Reason.DIFFERED, running, null, found.toString()));
            });
        }
    }

    @Override
    public Simulation simulation() {
        return settings.simulation;
    }

    @Override
    public TickRate rate() {
        return settings.rate;
    }

    @Override
    public PoseLayout layout() {
        return settings.layout;
    }

    @Override
    public long firstTick() {
        return settings.firstTick;
    }

    @Override
    public boolean mayWait() {
        return settings.mayWaitForDisk;
    }

    @Override
    public boolean follows() {
        return follows;
    }

    @Override
    public List<TickHook> hooks() {
        return settings.hooks;
    }

    @Override
    public void correctContacts(EventHub.Correction correction) {
        events.correctBy(correction);
    }

    @Override
    public void keepLateInput() {
        sampler.keepLateEvents();
    }

    @Override
    public long lastTick() {
        return simulated(schedule.nextTick()) - 1;
    }

    @Override
    public long publishedTick() {
        return schedule.nextTick() - 1;
    }

    @Override
    public int holdSlots() {
        return capture.holdSlots();
    }

    private void requireBetweenTicks() {
        if (!maySeek || !guard.isCaller()) {
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
    public void seek(long tick, Restore how, @Nullable TickSource then) throws Exception {
        requireBetweenTicks();
        if (follows()) {
            capture.holdSlots(); // if some are reserved, the capture names the first that it needs
        } else {
            requireFreeSlots();
        }
        long next = schedule.nextTick();
        String what = "be restored to tick " + tick;
        restore(how, null, what);
        try {
            source = then != null && then.isReady() ? then : mainSource;
            tickOffset = next - 1 - tick;
            running = tick + 1;
            requests.ran.clear();
            requests.commands.continueBefore(tick + 1);
            capture.breakMotion();
            hooks.sought(tick, false);
        } catch (Throwable thrown) {
            throw broken(thrown, what);
        }
    }

    @Override
    public void resimulate(long from, Restore how, TickSource with, PastTicks past) throws Exception {
        requireBetweenTicks();
        Snapshot latest = writer.latest();
        long last = lastTick();
        if (latest == null) {
            throw new IllegalStateException("no tick was published yet, so none can be re-simulated");
        }
        if (!requests.ran.isEmpty()) {
            throw new IllegalStateException(
                    "commands have run since tick " + last + ", and would be lost if ticks were re-simulated now");
        }
        for (long number = from; number <= last; number++) {
            past.published(number); // throws if the tick is not kept, before anything has changed
        }
        requireFreeSlots();
        String what = "re-simulate tick " + from;
        restore(how, () -> capture.captureShadow(latest), what);
        maySeek = false;
        try {
            hooks.sought(from - 1, true);
            guard.exit(); // each call of user code below is guarded on its own
            for (long number = from; number <= last; number++) {
                running = number;
                Tick tick = runner.run(with, number, number, past.fromNanos(number), past.dueNanos(number));
                captureShadow(tick, past, latest);
                hooks.atRest(number, capture.bodiesChanged());
            }
            guard.enter();
        } catch (RestoreRefusedException within) { // not of the restore above, which has succeeded
            throw broken(new IllegalStateException(within.getMessage(), within), what);
        } catch (Throwable thrown) {
            throw broken(thrown, what);
        }
        maySeek = true;
        running = last + 1;
        stats.resimulated(last - from + 1);
    }

    private void captureShadow(Tick tick, PastTicks past, Snapshot latest) throws Exception {
        Snapshot before = capture.before(latest);
        guard.enter();
        Snapshot written = capture.captureShadow(latest);
        if (tick.eventsWanted() && before != null) {
            events.collectInto(past.contacts(tick.number(), written), before, written, contacts);
        }
        guard.exit();
    }

    /** Changes the simulation to another state. Any exception but a refusal breaks the run, also an error of the JVM. */
    private void restore(Restore how, @Nullable Callable<?> atRest, String what) throws Exception {
        try {
            how.restore(atRest);
            guard.exit(); // throws if this thread was abandoned in the restore: then no hook receives it
            guard.enter();
        } catch (RestoreRefusedException refused) {
            capture.releaseSlots();
            throw refused;
        } catch (Throwable thrown) {
            throw broken(thrown, what);
        }
    }

    /** Breaks the run: it ends with {@code thrown}, waiting commands fail with that, and nothing runs on the simulation any more. */
    private Exception broken(Throwable thrown, String what) {
        broken = thrown;
        guard.enter(); // the caller is in user code, but a re-simulated tick may have thrown outside of it
        requests.commands.end(new IllegalStateException(
                "the simulation could not " + what + ", and cannot go on: " + thrown, thrown));
        if (thrown instanceof Error error) {
            throw error;
        }
        return (Exception) thrown;
    }

    @Override
    public @Nullable InputEvent nextLate() {
        sampler.drainRing();
        return sampler.nextLate();
    }

    @Override
    public InputEvent takeLate() {
        return sampler.takeLate();
    }

    @Override
    public void dropLate(String why) {
        String what = String.valueOf(sampler.nextLate());
        sampler.dropLate();
        if (stats.droppedLateInput() == 1) {
            FailureReport.warn(() -> settings.title() + " has dropped " + what + ", which came too late: " + why
                    + ". Let the history and its rollBack keep more ticks. It is the first; those after it are only counted, in"
                    + " stats().droppedLateInputs().");
        }
    }

    @Override
    public void continueInput(InputFrame had, RecordedInput now) {
        sampler.adoptLevels(had, now);
    }

    @Override
    public void holdInput(InputFrame input) {
        sampler.beginWith(input);
    }

    @Override
    public void continueInputFrom(InputFrame past) {
        sampler.reportSendersSince(past);
    }

    @Override
    public void endDrag() {
        sampler.endAnyDrag();
    }

    @Override
    public <T extends @Nullable Object> CompletableFuture<Answer<T>> between(String name, Command<T> run) {
        return requests.between(name, tick -> {
            maySeek = true;
            try {
                return run.run(tick);
            } finally {
                maySeek = false;
            }
        });
    }
}
