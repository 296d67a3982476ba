package dev.escapement.physics.replay.history;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.replay.store.Past;
import dev.escapement.physics.restore.RestoreRefusedException;
import dev.escapement.physics.spi.TickAccess;
import dev.escapement.physics.spi.TickSource;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputLevels;
import dev.escapement.state.input.LateInput;
import dev.escapement.state.input.RecordedInput;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Re-simulates ticks whose input came late. Restores the state before them, and repeats all ticks since with all input.
 *
 * <p>The thread that ticks makes all calls. Allocates nothing while no input comes late.
 *
 * @see StateHistory#rollBack
 */
final class Rollback {

    private static final long NONE = -1;

    private final StateHistory history;
    private final TickAccess run;
    private final int ticks;
    private final LateInput lateInput;
    private final RecordedInput input = new RecordedInput();

    /** Creates the rollback of a run before its first tick. */
    Rollback(StateHistory history, TickAccess run, int ticks) {
        this.history = history;
        this.run = run;
        this.ticks = ticks;
        lateInput = run.input().keepLateEvents();
    }

    /** Takes all late input. The input waits while bodies that are yet to spawn have reserved slots that a re-simulation may need. */
    void takeLateInput() throws Exception {
        for (InputEvent late = next(); late != null; late = next()) {
            long number = tickOf(late);
            if (number == NONE) {
                drop(whyNot());
            } else if (history.store().localRanAfter(number - 1)) {
                drop("a command that is no data ran since, or a step drained events of its own service, which cannot be"
                        + " re-simulated; offer such commands with their CommandType");
            } else if (!history.store().has(number - 1)) {
                drop(history.store().keptTicks());
            } else if (run.holdSlots() > 0) {
                return; // returns before past() copies, because the caller tries again until the slots are released
            } else {
                resimulate(number, history.store().past(number - 1));
            }
        }
    }

    private void resimulate(long number, Past past) throws Exception {
        MergedTicks merged = new MergedTicks(past);
        try {
            run.resimulate(number, atRest -> history.restore(past, atRest), merged, history.rerunHistory());
            lateInput.adoptLevels(merged.had(), input);
        } catch (RestoreRefusedException refused) {
            drop("the simulation refuses the state of tick " + past.to() + ", because " + refused.getMessage());
        }
    }

    private @Nullable InputEvent next() {
        run.input().drainRing();
        return lateInput.next();
    }

    private void drop(String why) {
        run.droppedLate(Objects.requireNonNull(lateInput.next()), why);
        lateInput.drop();
    }

    /** Returns the tick that would have taken an event, or NONE if that tick must not be re-simulated. */
    private long tickOf(InputEvent event) {
        if (!history.store().has(run.lastSimulationTick())) { // the last tick failed after it was published
            return NONE;
        }
        long number = history.rerunHistory().tickAt(event.timeNanos(), run.lastSimulationTick());
        boolean mayRun =
                number > Math.max(run.lastSimulationTick() - ticks, history.decided()) && history.canResimulate(number);
        return mayRun ? number : NONE;
    }

    private String whyNot() {
        String most = "at most the last " + ticks + " ticks can be re-simulated, if none failed";
        return history.decided() <= run.lastSimulationTick() - ticks
                ? most
                : most + ", and an authority has decided ticks up to " + history.decided();
    }

    /** Provides the ticks of the past, with the late input of each. */
    private final class MergedTicks implements TickSource {

        private final Past past;
        private final InputLevels levels = new InputLevels();

        /** The input of the last taken tick, without late input. */
        private @Nullable InputFrame had;

        MergedTicks(Past past) {
            this.past = past;
        }

        @Override
        public void take(long tick) throws IOException {
            if (had == null) { // the first tick after the restore, which has moved the past to the tick before
                had = past.input();
                levels.update(had, (sender, kind, code, x) -> {});
                input.copyFrom(had);
            }
            past.take(tick);
        }

        InputFrame had() {
            return Objects.requireNonNull(had);
        }

        @Override
        public InputFrame input(long fromNanos, long dueNanos) {
            InputFrame frame = past.input(fromNanos, dueNanos);
            had = frame;
            input.begin(frame.lengthNanos());
            int next = 0;
            InputEvent late = lateUpTo(dueNanos);
            while (next < frame.size() || late != null) {
                // Input from a pause before the tick gets the tick's start as its time, and keeps its order.
                long offsetNanos = late == null ? 0 : Math.max(0, late.timeNanos() - fromNanos);
                if (late == null || (next < frame.size() && frame.event(next).timeNanos() - fromNanos <= offsetNanos)) {
                    input.add(frame.event(next++));
                } else {
                    input.add(lateInput.take(), fromNanos, offsetNanos);
                    late = lateUpTo(dueNanos);
                }
            }
            levels.update(frame, input.levels()::set);
            input.reapplyEvents();
            return input.frame();
        }

        private @Nullable InputEvent lateUpTo(long dueNanos) {
            InputEvent late = next();
            return late != null && late.timeNanos() - dueNanos <= 0 ? late : null;
        }

        @Override
        public List<CommandData> commands() {
            return past.commands();
        }

        @Override
        public void runCommand(int command) {
            past.runCommand(command);
        }

        @Override
        public double budgetUsed(double measured) {
            return past.budgetUsed(measured);
        }

        @Override
        public boolean eventsWanted() {
            return past.eventsWanted();
        }
    }
}
