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

    /** The number of the simulation tick. After a seek it continues from an earlier tick. */
    public long number;

    /** The position in the log, one more than that of the tick before. */
    public long position;

    /** The simulation tick to which the run went back before this one; negative if it did not. */
    public long wentBackTo = -1;

    public double budgetUsed;
    public boolean eventsWanted;

    /** The commands with a {@code CommandType} that ran since the tick before, in this order. A replay repeats them. */
    public final List<CommandData> commands = new ArrayList<>();

    /** What the run used in this tick, and the log lacks, in words, such as a command without a {@code CommandType}; empty if nothing. */
    public String local = "";

    /** Whether {@link #stateHash} is known; false if the process or the simulation did not finish the tick. */
    public boolean hasHash = true;

    public long stateHash;

    /** Sets the input and commands of a step, but neither its hash nor {@link #wentBackTo}. */
    public void set(Tick tick, List<CommandData> ran, String newLocal) {
        number = tick.number();
        budgetUsed = tick.budgetUsed();
        eventsWanted = tick.eventsWanted();
        recordedInput.copyFrom(tick.input());
        local = newLocal;
        commands.clear();
        for (int i = 0; i < ran.size(); i++) { // addAll allocates
            commands.add(ran.get(i));
        }
    }

    /** Returns why a replay may differ from this tick on; empty if there is no reason. */
    public String cause() {
        return local.isEmpty() ? "" : "tick " + number + " used what no log can repeat: " + local;
    }

    /** Returns the recorded events, and the input levels after them. */
    public InputFrame input() {
        return recordedInput.frame();
    }

    /**
     * Runs the command at {@code index}. Returns what it threw, or null. In the recorded run it threw the same, unless the states differ.
     */
    @Nullable
    public Throwable runCommand(int index, CommandHandlers handlers) {
        Command<?> command = handlers.read(commands.get(index));
        try {
            command.run(number);
            return null;
        } catch (Throwable thrown) { // all throwables, as a command queue does
            LOG.log(System.Logger.Level.DEBUG, "A recorded command of tick " + number + " has thrown", thrown);
            return thrown;
        }
    }
}
