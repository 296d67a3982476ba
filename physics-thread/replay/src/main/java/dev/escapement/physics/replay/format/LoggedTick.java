package dev.escapement.physics.replay.format;

import dev.escapement.physics.command.Command;
import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.RecordedInput;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One tick of a log: its input, its commands, and the hash of the state after it. Reused from tick to tick.
 *
 * <p>One thread at a time.
 *
 * @see LogReader
 */
public final class LoggedTick {

    private static final System.Logger LOG = System.getLogger("dev.escapement.physics");

    public final RecordedInput recordedInput = new RecordedInput();

    /** The simulation tick, which goes back when the run does. */
    public long number;

    /** The position in the log, which is one more in each tick. */
    public long position;

    /** The simulation tick to which the run went back before this one; negative if it did not. */
    public long wentBackTo = -1;

    public double budgetUsed;
    public boolean eventsWanted;

    /** Whether commands ran since the tick before that are not data, and so cannot be repeated. */
    public boolean localRan;

    /** The commands that are data and ran since the tick before, in this order: these can be repeated. */
    public final List<CommandData> commands = new ArrayList<>();

    /** The class of a command that is not data; empty if the log does not say it. */
    public String localCommand = "";

    /** Whether {@link #stateHash} is known: not of a tick that the process or the simulation did not end. */
    public boolean hasHash = true;

    public long stateHash;

    /** Sets what a step got: what came of it, and whether the run went back before it, is set elsewhere. */
    public void set(Tick tick, List<CommandData> ran, boolean local) {
        number = tick.number();
        budgetUsed = tick.budgetUsed();
        eventsWanted = tick.eventsWanted();
        recordedInput.copyFrom(tick.input());
        localRan = local;
        commands.clear();
        for (int i = 0; i < ran.size(); i++) { // addAll allocates
            commands.add(ran.get(i));
        }
    }

    /** The recorded events, and the levels after them. */
    public InputFrame input() {
        return recordedInput.frame();
    }

    /** Runs one of the commands that can be repeated. Returns what it throws: it threw that when it was recorded, or the states differ. */
    @Nullable
    public Throwable runCommand(int index, CommandHandlers handlers) {
        Command<?> command = handlers.read(commands.get(index));
        try {
            command.run(number);
            return null;
        } catch (Throwable thrown) { // as in a queue of commands
            LOG.log(System.Logger.Level.DEBUG, "A recorded command of tick " + number + " has thrown", thrown);
            return thrown;
        }
    }
}
