package dev.escapement.physics;

import dev.escapement.physics.command.CommandData;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * A recorded run that can be replayed.
 *
 * <p>Any thread may call any method.
 *
 * @see PhysicsServiceBuilder#replay
 * @see dev.escapement.physics.replay.InputLog
 */
public interface RecordedRun {

    /**
     * The rate of the ticks.
     *
     * @return the rate at which they were recorded
     */
    TickRate rate();

    /**
     * How many ticks were recorded.
     *
     * @return the number of the last one
     */
    long ticks();

    /**
     * Prepares a replay.
     *
     * @param simulation a simulation that was built like the recorded one
     * @return a replay before tick 1
     * @throws IllegalArgumentException if the state of its bodies has other components than recorded, or it has no handler for commands
     *                                  that were recorded
     */
    Replay replay(Simulation simulation);

    /**
     * A replay: gives the input of recorded ticks, one after the other, and compares the states that they lead to.
     *
     * <p>The thread that ticks makes all calls, except {@link #divergence()}.
     *
     * @see PhysicsService#divergence()
     */
    interface Replay extends AutoCloseable {

        /**
         * Whether the next tick can be taken. False for a while if the run goes on while it is replayed. Asked when that tick is due by the
         * timeline, and then again every millisecond; while that tick is far away, and during pauses, also before.
         *
         * @return whether {@link #take} may be called
         */
        default boolean isReady() {
            return true;
        }

        /**
         * The number of the next tick. Asked only if it can be taken. Another one than expected is possible before the first tick only: a run
         * that goes on can be joined later than at its start.
         *
         * @param expected one more than the last tick
         * @return the number with which {@link #take} is to be called
         */
        default long nextTick(long expected) {
            return expected;
        }

        /**
         * When the next tick is due. Asked only if it can be taken.
         *
         * @param expectedNanos when it is due by the timeline, an instant of the current clock
         * @return when it is due by the run; the timeline follows
         */
        default long dueNanos(long expectedNanos) {
            return expectedNanos;
        }

        /**
         * The speed of time after the tick that was taken.
         *
         * @param requested what was requested of who replays
         * @return what time runs at
         */
        default TimeScale scale(TimeScale requested) {
            return requested;
        }

        /**
         * Whether time stands still after the tick that was taken, until the next one is {@linkplain #isReady() ready}.
         *
         * @return whether time is paused
         */
        default boolean standsStill() {
            return false;
        }

        /**
         * Moves on to the next tick.
         *
         * @param tick      its number
         * @param fromNanos when simulated time left the tick before, an instant of the current clock
         * @param dueNanos  when the tick is due
         * @throws IOException if the tick cannot be read
         */
        void take(long tick, long fromNanos, long dueNanos) throws IOException;

        /**
         * The recorded input of the tick that was taken.
         *
         * @return with time stamps of the current clock; valid until the next tick is taken
         */
        InputFrame input();

        /**
         * The recorded commands of the tick that was taken.
         *
         * @return in the order in which they ran before its step; valid until the next tick is taken
         */
        List<CommandData> commands();

        /**
         * Runs one of the recorded {@link #commands()}. What it throws changes nothing, as in the recorded run.
         *
         * @param command its index
         */
        void runCommand(int command);

        /**
         * Whether other commands ran before the tick that was taken, which were not recorded.
         *
         * @return whether the states may differ for that reason
         */
        boolean localRan();

        /**
         * The recorded {@link Tick#budgetUsed()} of the tick that was taken.
         *
         * @return 1 for exactly one period
         */
        double budgetUsed();

        /**
         * The recorded {@link Tick#eventsWanted()} of the tick that was taken.
         *
         * @return whether its contacts were wanted
         */
        boolean eventsWanted();

        /**
         * Compares the state after the tick that was taken with the recorded one.
         *
         * @param stateHash {@link Simulation#hash()} after the step
         */
        void compare(long stateHash);

        /**
         * Whether the tick that was taken is the last one.
         *
         * @return true if no other can be taken
         */
        boolean isAtEnd();

        /**
         * The first tick after which the states differed. Any thread.
         *
         * @return empty as long as every tick led to the recorded state
         */
        Optional<Divergence> divergence();

        /** Ends the replay. */
        @Override
        void close();
    }
}
