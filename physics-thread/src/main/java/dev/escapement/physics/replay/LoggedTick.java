package dev.escapement.physics.replay;

import dev.escapement.physics.command.Command;
import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.RecordedInput;
import java.util.ArrayList;
import java.util.List;

/**
 * One tick of a log: its input, and the hash of the state after it. Reused from tick to tick.
 *
 * <p>One thread at a time.
 *
 * @see LogReader
 */
public final class LoggedTick {

    private static final System.Logger LOG = System.getLogger("dev.escapement.physics");

    final RecordedInput input = new RecordedInput();
    BodyDigests digests;
    long number;
    double budgetUsed;
    boolean eventsWanted;
    boolean commandsRan;
    final List<CommandData> commands = new ArrayList<>();
    long stateHash;

    LoggedTick(BodyDigests digests) {
        this.digests = digests;
    }

    /**
     * The number of the tick.
     *
     * @return consecutive numbers from 1
     */
    public long number() {
        return number;
    }

    /**
     * The tick's recorded input.
     *
     * @return the events, and the levels after them
     */
    public InputFrame input() {
        return input.frame();
    }

    /**
     * Converts the time stamps of the tick's events to the current clock.
     *
     * @param fromNanos     when it begins, an instant of the clock
     * @param samplingNanos when it is due
     * @see RecordedInput#moveTo
     */
    public void moveTo(long fromNanos, long samplingNanos) {
        input.moveTo(fromNanos, samplingNanos);
    }

    /**
     * The share of its period that the tick before needed.
     *
     * @return 1 for exactly one period
     */
    public double budgetUsed() {
        return budgetUsed;
    }

    /**
     * Whether there were subscribers to events.
     *
     * @return whether the contacts of the tick were wanted
     */
    public boolean eventsWanted() {
        return eventsWanted;
    }

    /**
     * Whether commands ran since the tick before that are no data, and so cannot be repeated.
     *
     * @return whether the state may depend on more than this log
     */
    public boolean commandsRan() {
        return commandsRan;
    }

    /**
     * The commands that ran since the tick before and can be repeated, in this order.
     *
     * @return valid until the next tick is read
     */
    public List<CommandData> commands() {
        return commands;
    }

    /**
     * Runs one of the commands that can be repeated. What it throws, it has thrown when it was recorded, or else the states differ.
     *
     * @param index    its index
     * @param handlers those of the simulation
     */
    void runCommand(int index, CommandHandlers handlers) {
        Command<?> command = handlers.read(commands.get(index));
        try {
            command.run(number);
        } catch (Throwable thrown) { // as in a queue of commands
            LOG.log(System.Logger.Level.DEBUG, "A recorded command of tick " + number + " has thrown", thrown);
        }
    }

    /**
     * The hash of the simulation's own state after the tick.
     *
     * @return the hash
     */
    public long stateHash() {
        return stateHash;
    }
}
