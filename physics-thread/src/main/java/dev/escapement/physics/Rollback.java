package dev.escapement.physics;

import dev.escapement.physics.TickHistory.Past;
import dev.escapement.physics.usercode.FailureReport;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.LevelTracker;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Runs ticks again whose input has come late: restores the state before them, and steps up to now with all input, before the next tick and
 * its commands. Published snapshots stay; the next one corrects them. If it throws, the run has ended ({@link Rewinder#change}); a close in
 * the middle waits for the tick after it.
 *
 * <p>The thread that ticks makes all calls. Allocates nothing while no input comes late.
 *
 * @see PhysicsServiceBuilder#rollBack
 */
final class Rollback {

    private static final long NONE = Long.MAX_VALUE;

    private final TickLoop loop;
    private final Rewinder rewinder;

    /** How many of the last ticks may run again; 0 for none. */
    private final int ticks;

    private final Tick tick;
    private final RecordedInput input = new RecordedInput();

    // By tick: when simulated time left the tick before, and when it sampled its input.
    private final long[] fromNanos;
    private final long[] samplingNanos;

    /** The first tick of which these are known, and that is no longer ago than the others; {@link #NONE} if there is none. */
    private long first = NONE;

    private long last;

    /** The tick that has sampled last. */
    private long sampled;

    Rollback(TickLoop loop, Rewinder rewinder, int ticks) {
        this.loop = loop;
        this.rewinder = rewinder;
        this.ticks = ticks;
        tick = new Tick(loop.settings.rate);
        fromNanos = new long[ticks + 1];
        samplingNanos = new long[ticks + 1];
        if (ticks > 0) {
            loop.sampler.keepLate();
            loop.events.keepTold(ticks);
        }
    }

    /** Called when a tick has taken what was offered here. */
    void sampled(long number, long newFromNanos, long newSamplingNanos) {
        fromNanos[at(number)] = newFromNanos;
        samplingNanos[at(number)] = newSamplingNanos;
        sampled = number;
    }

    /** Called when the history has a tick: then it can run again, if it has sampled. */
    void published(long number) {
        if (ticks > 0 && number == sampled) {
            first = first == NONE ? number : Math.max(first, number - ticks + 1);
            last = number;
        }
    }

    private int at(long number) {
        return (int) (number % fromNanos.length);
    }

    /** Called when the run went back: what was before that cannot run again. */
    void forget() {
        first = NONE;
        sampled = NONE; // a tick that repeats the one that sampled has not sampled itself
    }

    /**
     * Takes all input that has come late. If commands have run since the last tick, or bodies are to be spawned in slots that ticks may need,
     * that is left to the next tick.
     */
    void run() {
        if (ticks == 0) {
            return;
        }
        rewinder.throwIfHalfway();
        if (last != rewinder.simulated(loop.schedule.nextTick()) - 1) {
            forget(); // the last tick has failed after it was published: the history does not have it
        }
        loop.sampler.takeAhead();
        for (InputEvent late = loop.sampler.nextLate(); late != null; late = loop.sampler.nextLate()) {
            if (loop.requests.hasRan()) {
                return;
            }
            long number = tickOf(late);
            if (number == NONE) {
                drop(late, whyNot());
                continue;
            }
            Past past;
            TickSource after;
            try {
                past = rewinder.requireHistory().past(number - 1);
                after = past.after(loop.source);
            } catch (IllegalArgumentException | IllegalStateException notKept) {
                drop(late, notKept.toString());
                continue;
            }
            if (loop.capture.holdSlots() > 0) {
                return;
            }
            long ran = rewinder.change(() -> runAgain(past, after, number), "run tick " + number + " again");
            if (ran > 0) {
                loop.meters.stats.rolledBack(ran);
            }
        }
    }

    private long decided() {
        return rewinder.requireHistory().decided();
    }

    private String whyNot() {
        if (first == NONE) {
            return "the run went back since, or a tick failed";
        }
        String these = "ticks " + first + " to " + last + " may run again";
        return decided() < first ? these : these + ", and an authority has decided those up to " + decided();
    }

    /** The tick that would have taken an event, or NONE if that may not run again. */
    private long tickOf(InputEvent event) {
        if (first == NONE || event.timeNanos() - fromNanos[at(first)] <= 0) {
            return NONE;
        }
        long number = first;
        while (number <= last && event.timeNanos() - samplingNanos[at(number)] > 0) {
            number++;
        }
        return number > last || number <= decided() ? NONE : number; // a tick after the last has sampled and failed
    }

    /** Returns how many ticks ran again: 0 if the simulation has refused its state. */
    private long runAgain(Past past, TickSource after, long from) throws Exception {
        Snapshot latest = Objects.requireNonNull(loop.writer.latest());
        loop.guard.enter();
        RestoreRefusedException refused = rewinder.restore(past, from - 1, () -> loop.capture.captureAside(latest));
        if (refused == null) {
            rewinder.noteWentBack(from - 1);
        }
        loop.guard.exit();
        if (refused != null) {
            drop(Objects.requireNonNull(loop.sampler.nextLate()), refused.toString());
            return 0;
        }
        LevelTracker levels = new LevelTracker();
        levels.follow(past.input(), (kind, code, x) -> {});
        input.copyFrom(past.input());
        InputFrame had = past.input();
        long shown = loop.times.tick;
        for (long number = from; number <= last; number++) {
            loop.times.tick = latest.tick() - last + number; // that of a failure
            loop.userCode.take(after, number);
            loop.requests.noteRepeated(number, after.commands(), after.localRan());
            loop.userCode.repeat(after);
            had = after.input(fromNanos[at(number)], samplingNanos[at(number)]);
            merge(had, number);
            levels.follow(had, input::level);
            tick.set(number, samplingNanos[at(number)], after.budgetUsed(0), input.frame(), after.eventsWanted());
            loop.userCode.beginTick(tick);
            loop.userCode.step(tick);
            loop.record(tick, false);
            Snapshot before = Objects.requireNonNull(loop.capture.before(latest));
            Snapshot written = loop.userCode.writeAside(loop.capture, latest);
            if (tick.eventsWanted()) {
                loop.userCode.collectAgain(loop.events, loop.times.tick, before, written);
            }
            loop.userCode.published(rewinder, number, loop.capture.bodiesChanged());
            loop.userCode.endTick(number, 0);
        }
        loop.times.tick = shown;
        loop.sampler.continueAfter(had, input);
        return last - from + 1;
    }

    /** Fills {@link #input} with the events that a tick had, and those that came late for it. */
    private void merge(InputFrame had, long number) {
        input.begin(had.lengthNanos());
        int next = 0;
        InputEvent late = nextLate(number);
        while (next < had.size() || late != null) {
            if (late == null || (next < had.size() && had.event(next).timeNanos() - late.timeNanos() <= 0)) {
                InputEvent event = had.event(next++);
                add(event, event.offsetNanos(), event.isLate());
            } else {
                add(loop.sampler.takeLate(), Math.max(0, late.timeNanos() - fromNanos[at(number)]), false);
                late = nextLate(number);
            }
        }
    }

    private @Nullable InputEvent nextLate(long number) {
        InputEvent late = loop.sampler.nextLate();
        return late != null && late.timeNanos() - samplingNanos[at(number)] <= 0 ? late : null;
    }

    private void add(InputEvent event, long offsetNanos, boolean isLate) {
        input.add(
                event.sequence(),
                event.timeNanos(),
                event.kind(),
                event.code(),
                event.x(),
                event.y(),
                offsetNanos,
                isLate);
    }

    private void drop(InputEvent late, String why) {
        String what = late.toString();
        loop.sampler.dropLate();
        if (loop.meters.stats.droppedLateInput() == 1) {
            FailureReport.warn(() -> loop.settings.title() + " has dropped " + what + ", which came too late: " + why
                    + ". Let rollBack and history keep more ticks. It is the first; those after it are only counted, in"
                    + " stats().droppedLateInputs().");
        }
    }
}
