package dev.escapement.physics.replay;

import dev.escapement.physics.command.Command;
import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.RecordedInput;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One tick of a log: its input, and the hash of the state after it. Reused from tick to tick.
 *
 * <p>One thread at a time.
 *
 * @see LogReader
 */
final class LoggedTick {

    private static final System.Logger LOG = System.getLogger("dev.escapement.physics");

    final RecordedInput input = new RecordedInput();
    BodyDigests digests;

    /** Its number by the simulation's count, which goes back when the run does. */
    long number;

    /** Its number by the count of readers, which goes on. */
    long published;

    /** The tick to which the run went back before this one; negative if it did not. */
    long wentBackTo = -1;

    double budgetUsed;
    boolean eventsWanted;

    /** Whether commands ran since the tick before that are not data, and so cannot be repeated. */
    boolean commandsRan;

    /** The commands that ran since the tick before and can be repeated, in this order. */
    final List<CommandData> commands = new ArrayList<>();

    /** The class of one of the others; empty if the log does not say it. */
    String localCommand = "";

    /** Whether the state after it is known: not of a tick that the process or the simulation did not end. */
    boolean hasState = true;

    long stateHash;

    LoggedTick(BodyDigests digests) {
        this.digests = digests;
    }

    /** The recorded events, and the levels after them. */
    InputFrame input() {
        return input.frame();
    }

    /** Runs one of the commands that can be repeated. Returns what it throws: it threw that when it was recorded, or the states differ. */
    @Nullable
    Throwable runCommand(int index, CommandHandlers handlers) {
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
