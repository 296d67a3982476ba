package dev.escapement.physics.loop;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.SteppedTick;
import dev.escapement.physics.usercode.UserCodeGuard;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The tick that the simulation steps now, or has stepped last. The runner sets it before each step. Physics thread only. */
final class RunningTick implements Tick, SteppedTick {

    private final Simulation simulation;
    private final TickRate rate;
    private final double dtSeconds;
    private final ExecutedCommands ran;
    private final UserCodeGuard guard;
    private long number;
    private long dueNanos;
    private double budgetUsed;
    private @Nullable InputFrame input;
    private boolean eventsWanted;
    private boolean isHashed;
    private long stateHash;

    RunningTick(Simulation simulation, TickRate rate, ExecutedCommands ran, UserCodeGuard guard) {
        this.simulation = simulation;
        this.rate = rate;
        this.dtSeconds = rate.dtSeconds();
        this.ran = ran;
        this.guard = guard;
    }

    void set(long newNumber, long newDueNanos, double newBudgetUsed, InputFrame newInput, boolean newEventsWanted) {
        number = newNumber;
        dueNanos = newDueNanos;
        budgetUsed = newBudgetUsed;
        input = newInput;
        eventsWanted = newEventsWanted;
        isHashed = false;
    }

    @Override
    public long number() {
        return number;
    }

    @Override
    public double dtSeconds() {
        return dtSeconds;
    }

    @Override
    public TickRate rate() {
        return rate;
    }

    @Override
    public long dueNanos() {
        return dueNanos;
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
        return ran.data();
    }

    @Override
    public boolean localRan() {
        return ran.isLocal();
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
        return "Tick[" + number + ", " + rate + "]";
    }
}
