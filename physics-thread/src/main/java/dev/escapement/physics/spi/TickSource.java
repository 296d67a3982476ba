package dev.escapement.physics.spi;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A source of ticks: input that is offered to this service, a log, or a run that is ticking elsewhere. It has the due time and the input of
 * each tick; a log or another run also has the commands.
 *
 * <p>The thread that ticks makes all calls, except {@link #divergence()}. For each tick: {@link #isReady()}, {@link #poll()} if it is not,
 * {@link #nextTick}, {@link #dueNanos}; when it is due {@link #followSeek}, {@link #take}, its commands, {@link #input}, and after its step
 * {@link #compare}.
 *
 * <p>Only {@link #poll()}, {@link #followSeek}, {@link #take}, {@link #runCommand}, {@link #compare} and {@link #close()} may take long: if
 * one hangs, the physics thread is abandoned in it, as in the simulation. The others must return at once, because nothing watches them.
 *
 * <p>See {@code PhysicsServiceBuilder.follow}.
 */
public interface TickSource extends AutoCloseable {

    /**
     * The first tick after which the state differed from the state of the source log: the recorded one, in a replay.
     *
     * <p>Immutable; any thread may use it.
     *
     * @param tick         the tick
     * @param recordedHash the hash of the recorded state after it
     * @param replayedHash the hash of the replayed state after it
     * @param place        where the states differ first, in words; empty if that is not known
     * @param cause        what the recorded run used first, up to {@code tick}, and no log can repeat, or that it ran on another kind of
     *                     processor, in words; empty if neither
     * @see TickSource#divergence()
     */
    record Divergence(long tick, long recordedHash, long replayedHash, String place, String cause) {

        @Override
        public String toString() {
            return "tick " + tick + ": the state's hash was " + Long.toHexString(recordedHash) + " and is "
                    + Long.toHexString(replayedHash)
                    + (place.isEmpty() ? "" : "; " + place)
                    + (cause.isEmpty() ? "" : "; " + cause);
        }
    }

    /** A run whose ticks a service or driver can follow. Any thread may call any method. */
    interface Run {

        /** {@return the rate of the ticks} */
        TickRate rate();

        /** {@return the number of the first tick; 1 if that is not known before the run is open} */
        default long firstTick() {
            return 1;
        }

        /**
         * Begins to follow the run.
         *
         * @param simulation a simulation that was built like the run's
         * @return a source before the first tick
         * @throws IllegalArgumentException if the run has no ticks, the state of its bodies has other components, or the simulation has no
         *                                  handler for commands of the run
         */
        TickSource open(Simulation simulation);
    }

    /**
     * Reads what has arrived of the next tick. Called at least every millisecond while that tick is due by the timeline but not ready, and
     * about every 10 ms while the tick is far away or time stands still.
     */
    default void poll() {}

    /** {@return whether the next tick can be taken: false while a run elsewhere does not have it yet, and after the last tick of a log} */
    default boolean isReady() {
        return true;
    }

    /**
     * The number of the next tick. Called only if that tick is ready. Only the number of the first tick may differ from the expected one,
     * because a service can join a run elsewhere after its start.
     *
     * @param expected one more than the last tick
     * @return the number with which {@link #take} is to be called
     */
    default long nextTick(long expected) {
        return expected;
    }

    /**
     * {@return when the next tick is due in the run that is followed; the timeline moves the tick to that instant} Called only if the tick
     * is ready.
     *
     * @param expectedNanos when the tick is due by the timeline of this service, an instant of the current clock
     */
    default long dueNanos(long expectedNanos) {
        return expectedNanos;
    }

    /**
     * Called before each tick of a run that follows another one. It may {@link TickAccess#seek}, if the run in the source log sought before
     * that tick.
     *
     * @param run the run of this service
     * @throws Exception if the run cannot continue
     */
    default void followSeek(TickAccess run) throws Exception {}

    /**
     * Advances to the next tick.
     *
     * @param tick its number, as readers count; for a re-simulated tick, as the simulation counts
     * @throws IOException if the tick cannot be read
     */
    default void take(long tick) throws IOException {}

    /**
     * {@return the commands of the tick that was taken, in the order in which they run before its step; valid until the next tick is taken}
     */
    default List<CommandData> commands() {
        return List.of();
    }

    /**
     * Runs one of the {@link #commands()}, and drops its exception, because the run that is followed dropped it, too.
     *
     * @param command its index in {@link #commands()}
     */
    default void runCommand(int command) {}

    /** {@return what the run that is followed used in the tick that was taken and this source lacks, in words; empty if nothing} */
    default String local() {
        return "";
    }

    /**
     * The input of the tick that was taken. Called after its commands.
     *
     * @param fromNanos when simulated time left the tick before, an instant of the current clock
     * @param dueNanos  when the tick is due
     * @return the input, with time stamps of the current clock; valid until the next tick is taken
     */
    InputFrame input(long fromNanos, long dueNanos);

    /** {@return the number of offered events that are in the ticks so far; 0 if the ticks of this source contain no offered events} */
    default long inputsTaken() {
        return 0;
    }

    /**
     * {@return the {@link Tick#budgetUsed()} of the tick that was taken, a share of its period}
     *
     * @param measured the value that this service has measured
     */
    default double budgetUsed(double measured) {
        return measured;
    }

    /**
     * {@return the {@link Tick#eventsWanted()} of the tick that was taken; true makes the simulation report contacts even if this service
     * has no subscribers}
     */
    default boolean eventsWanted() {
        return false;
    }

    /**
     * Compares the state after the tick that was taken with the state of the run.
     *
     * @param stepped has the {@link TickHook.Stepped#stateHash()}; valid during this call
     */
    default void compare(TickHook.Stepped stepped) {}

    /**
     * {@return the speed of time after the tick that was taken}
     *
     * @param requested the scale that was requested of this service
     */
    default TimeScale scale(TimeScale requested) {
        return requested;
    }

    /** {@return whether time stands still after the tick that was taken, until the next one is {@linkplain #isReady() ready}} */
    default boolean standsStill() {
        return false;
    }

    /** {@return the first tick after which the states differed; empty if none did} Any thread. */
    default Optional<Divergence> divergence() {
        return Optional.empty();
    }

    /** Closes this source. Another source can follow the run again. */
    @Override
    default void close() {}
}
