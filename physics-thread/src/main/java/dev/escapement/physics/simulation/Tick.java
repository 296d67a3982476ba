package dev.escapement.physics.simulation;

import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.time.TickRate;

/**
 * One step of constant length. Physics thread only. A service or driver reuses one object for all of its ticks.
 *
 * @see Simulation#step
 */
public interface Tick {

    /**
     * Creates a tick that never changes, for a simulation that is stepped without a service, for example in a test.
     *
     * <pre>{@code
     * simulation.step(Tick.of(TickRate.hertz(100), 1, 10_000_000, 0, input, false));
     * }</pre>
     *
     * @param rate         the rate of the ticks
     * @param number       which tick, 1 or more
     * @param dueNanos     when it is due, an instant of the clock
     * @param budgetUsed   the share of its period that the tick before needed
     * @param input        the input of the tick
     * @param eventsWanted whether {@link Simulation#events} will be called for its contacts
     * @return the tick
     */
    static Tick of(
            TickRate rate, long number, long dueNanos, double budgetUsed, InputFrame input, boolean eventsWanted) {
        record FixedTick(
                TickRate rate, long number, long dueNanos, double budgetUsed, InputFrame input, boolean eventsWanted)
                implements Tick {}
        return new FixedTick(rate, number, dueNanos, budgetUsed, input, eventsWanted);
    }

    /**
     * {@return the number of this tick: consecutive; after tick n, n dt of simulated time have passed} It goes back with the state when a
     * hook seeks an earlier tick.
     */
    long number();

    /** {@return the length of every tick, in seconds} */
    default double dtSeconds() {
        return rate().dtSeconds();
    }

    /** {@return the exact rate of the ticks} */
    TickRate rate();

    /**
     * {@return the instant of the clock at which this tick was due, which is also its sampling time} The state must not depend on it, nor
     * on the time stamps of events: in a replay both are instants of the current clock. {@link InputEvent#offsetNanos()} and {@link
     * InputFrame#lengthNanos()} are replayed as recorded.
     */
    long dueNanos();

    /**
     * {@return the share of its period, at the requested speed of time, that the tick before needed until it was published} Exactly one
     * period is 1; the first tick has 0. A simulation can lower its quality before time slows down.
     */
    double budgetUsed();

    /**
     * The input of this tick: the events after the sampling time of the tick before, up to the sampling time of this tick; earlier events
     * that came late; and the levels, such as held keys, after all these events.
     *
     * <pre>{@code
     * boolean running = tick.input().state().isKeyDown(KEY_W);
     * }</pre>
     *
     * @return the events and the levels, valid while this tick runs
     */
    InputFrame input();

    /**
     * {@return whether {@link Simulation#events} will be called for this tick: there are subscribers, or there were in the run that is
     * replayed} If not, an engine need not collect contacts.
     */
    boolean eventsWanted();
}
