package dev.escapement.physics.loop;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The tick that runs now, or has run last: what the simulation gets, what hooks get after the step, and its instants. Before a tick, this
 * object collects the commands that run since the tick before, if there is a hook, and the first use of something that no log can repeat.
 *
 * <p>Physics thread only.
 */
final class RunningTick implements Tick, TickHook.Stepped, TickHook.Times {

    /** A log has room for at most this many commands before a tick. */
    private static final int MAX_COMMANDS = 1 << 16;

    private static final long MAX_BYTES = 1 << 24;

    private final Simulation simulation;
    private final TickRate rate;
    private final UserCodeGuard guard;

    private final List<CommandData> commands = new ArrayList<>();
    private final List<CommandData> commandsView = Collections.unmodifiableList(commands);
    private long commandBytes;
    private String local = "";

    private long publishedTick;
    private long simulationTick;
    private long fromNanos;
    private long dueNanos;
    private double budgetUsed;
    private @Nullable InputFrame input;
    private boolean eventsWanted;
    private boolean isHashed;
    private long stateHash;

    // Instants of the tick that is to be published, and of the one before until then. Re-simulated ticks do not set
    // them.
    long startedNanos;
    long steppedNanos;
    long publishedNanos;

    /** The end of the tick's work: events, queries and hooks come after its publish. */
    long endedNanos;

    RunningTick(Simulation simulation, TickRate rate, UserCodeGuard guard) {
        this.simulation = simulation;
        this.rate = rate;
        this.guard = guard;
    }

    /** Adds a command that is data. Throws if there is no room: the command must not run then, because no log could repeat the run. */
    void addCommand(CommandData command) {
        if (commands.size() == MAX_COMMANDS || commandBytes + command.bytes().length > MAX_BYTES) {
            throw new IllegalStateException(
                    commands.size() + " commands with " + commandBytes
                            + " bytes ran since the last tick, and a recording has room for no more; offer fewer while time stands still");
        }
        commands.add(command);
        commandBytes += command.bytes().length;
    }

    void addLocal(String what) {
        local = local.isEmpty() ? what : local;
    }

    void clearCommands() {
        if (hasCommands()) { // most ticks store nothing, for the reason of the thread in PoseWriter
            commands.clear();
            commandBytes = 0;
            local = "";
        }
    }

    /** Whether commands have run since the last tick. */
    boolean hasCommands() {
        return !local.isEmpty() || !commands.isEmpty();
    }

    void begin(long newPublishedTick, long newSimulationTick, long newFromNanos, long newDueNanos) {
        publishedTick = newPublishedTick;
        simulationTick = newSimulationTick;
        fromNanos = newFromNanos;
        dueNanos = newDueNanos;
    }

    void take(InputFrame newInput, double newBudgetUsed, boolean newEventsWanted) {
        input = newInput;
        budgetUsed = newBudgetUsed;
        eventsWanted = newEventsWanted;
        isHashed = false;
    }

    /** Sets the instant of the publish. Returns the work of the thread since it published the tick before. */
    long publishedAt(long nanos) {
        long afterPublishNanos = Math.max(0, endedNanos - publishedNanos); // of the tick before; 0 if it threw there
        publishedNanos = nanos;
        return nanos - startedNanos + afterPublishNanos;
    }

    @Override
    public long publishedTick() {
        return publishedTick;
    }

    @Override
    public long simulationTick() {
        return simulationTick;
    }

    @Override
    public long number() {
        return simulationTick;
    }

    @Override
    public TickRate rate() {
        return rate;
    }

    @Override
    public long fromNanos() {
        return fromNanos;
    }

    @Override
    public long dueNanos() {
        return dueNanos;
    }

    @Override
    public long startedNanos() {
        return startedNanos;
    }

    @Override
    public long steppedNanos() {
        return steppedNanos;
    }

    @Override
    public long publishedNanos() {
        return publishedNanos;
    }

    @Override
    public double budgetUsed() {
        return budgetUsed;
    }

    @Override
    public InputFrame input() {
        return Objects.requireNonNull(input);
    }

    @Override
    public boolean eventsWanted() {
        return eventsWanted;
    }

    @Override
    public Tick tick() {
        return this;
    }

    @Override
    public List<CommandData> commands() {
        return commandsView;
    }

    @Override
    public String local() {
        return local;
    }

    @Override
    public long stateHash() {
        if (!isHashed) {
            stateHash = simulation.hash();
            guard.next(); // throws if the thread was abandoned in hash(): then no log may record this hash
            isHashed = true;
        }
        return stateHash;
    }

    @Override
    public String toString() {
        return "Tick[" + simulationTick + ", " + rate + "]";
    }
}
