package dev.escapement.physics;

import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.time.TickRate;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One step of constant length. Physics thread only. A service or driver reuses one object for all of its ticks.
 *
 * @see Simulation#step
 */
public final class Tick {

    private final TickRate rate;
    private final double dtSeconds;
    private long number;
    private long dueNanos;
    private double budgetUsed;
    private @Nullable InputFrame input;
    private boolean eventsWanted;

    Tick(TickRate rate) {
        this.rate = rate;
        this.dtSeconds = rate.dtSeconds();
    }

    /**
     * Creates a tick that never changes, for a simulation that is stepped without a service, for example in a test.
     *
     * <pre>{@code
     * simulation.step(new Tick(TickRate.hertz(100), 1, 10_000_000, 0, input, false));
     * }</pre>
     *
     * @param rate         the rate of the ticks
     * @param number       which tick, 1 or more
     * @param dueNanos     when it is due, an instant of the clock
     * @param budgetUsed   the share of its period that the tick before needed
     * @param input        the input of the tick
     * @param eventsWanted whether {@link Simulation#events} will be asked for its contacts
     */
    public Tick(TickRate rate, long number, long dueNanos, double budgetUsed, InputFrame input, boolean eventsWanted) {
        this(rate);
        set(number, dueNanos, budgetUsed, input, eventsWanted);
    }

    /** Called by the service or driver before each tick. */
    void set(long newNumber, long newDueNanos, double newBudgetUsed, InputFrame newInput, boolean newEventsWanted) {
        number = newNumber;
        dueNanos = newDueNanos;
        budgetUsed = newBudgetUsed;
        input = newInput;
        eventsWanted = newEventsWanted;
    }

    /**
     * {@return the number of this tick: consecutive; after tick n, n dt of simulated time have passed} It goes back with the
     * state when the run {@linkplain TickAccess#seek goes back}.
     */
    public long number() {
        return number;
    }

    /** {@return the length of every tick, in seconds} */
    public double dtSeconds() {
        return dtSeconds;
    }

    /** {@return the exact rate of the ticks} */
    public TickRate rate() {
        return rate;
    }

    /**
     * {@return the instant of the clock at which this tick was due, which is also its sampling time} The state must not depend on it, nor
     * on the time stamps of events: in a replay both are instants of the current clock. {@link InputEvent#offsetNanos()} and {@link
     * InputFrame#lengthNanos()} are replayed as recorded.
     */
    public long dueNanos() {
        return dueNanos;
    }

    /**
     * {@return the share of its period, at the speed of time that is asked for, that the tick before needed until it was published: 1 for
     * exactly one period, more when it was too slow, 0 at the first tick} A simulation can lower its quality before ticks are skipped.
     */
    public double budgetUsed() {
        return budgetUsed;
    }

    /**
     * The input of this tick: the events after the sampling time of the tick before and up to this one's, earlier ones that came late, and
     * the levels after them.
     *
     * <pre>{@code
     * boolean running = tick.input().state().isKeyDown(KEY_W);
     * }</pre>
     *
     * @return the events and the levels, valid while this tick runs
     */
    public InputFrame input() {
        return Objects.requireNonNull(input);
    }

    /**
     * {@return whether {@link Simulation#events} will be called for this tick: there are subscribers, or there were in the run that is
     * replayed} If not, an engine need not collect contacts.
     */
    public boolean eventsWanted() {
        return eventsWanted;
    }

    @Override
    public String toString() {
        return "Tick[" + number + ", " + rate + "]";
    }
}
