package dev.escapement.physics.loop;

import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.time.TickRate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The tick that the simulation steps now. The runner sets it before each step. */
public final class RunningTick implements Tick {

    private final TickRate rate;
    private final double dtSeconds;
    private long number;
    private long dueNanos;
    private double budgetUsed;
    private @Nullable InputFrame input;
    private boolean eventsWanted;

    public RunningTick(TickRate rate) {
        this.rate = rate;
        this.dtSeconds = rate.dtSeconds();
    }

    /** Makes this the next tick. */
    public void set(
            long newNumber, long newDueNanos, double newBudgetUsed, InputFrame newInput, boolean newEventsWanted) {
        number = newNumber;
        dueNanos = newDueNanos;
        budgetUsed = newBudgetUsed;
        input = newInput;
        eventsWanted = newEventsWanted;
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
    public String toString() {
        return "Tick[" + number + ", " + rate + "]";
    }
}
