package dev.escapement.physics;

import dev.escapement.physics.command.CommandData;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the last ticks of a run with saved states, so that it can go back. The thread that ticks makes all calls, after {@link #begin}.
 *
 * @see PhysicsServiceBuilder#history
 *
 */
public interface TickHistory {

    /**
     * A copy of a part of the past: how to get to a tick, and the ticks that came after it. One thread at a time.
     *
     * @see #past
     */
    interface Past {

        /**
         * Lets a simulation be as it was after the tick. Call it once.
         *
         * @param simulation that of the history, or another one that is built like it
         * @param isAnother  whether it is another one: then it is checked that it goes on as the first one did, where there are states to
         *                   compare
         * @param capture    captures the simulation when a state is restored, and after each step from there; null if it is not captured
         * @throws IllegalStateException   if it does not; names the first body that differs
         * @throws RestoreRefusedException if the simulation refuses the state, and is as it was before
         * @throws Exception               what the simulation throws; it cannot be used any more
         */
        void restore(Simulation simulation, boolean isAnother, @Nullable Callable<?> capture) throws Exception;

        /** {@return the input of the tick, when it is restored, or instead of that} Its levels are those that were held at its end. */
        InputFrame input();

        /** {@return whether the input up to the tick has taken hold of a body, by {@link dev.escapement.state.input.DragInput}, and not let go} */
        boolean isDragging();

        /**
         * {@return the ticks after it, to be taken in their order}
         *
         * @param running where the ticks come from now: if that repeats some of the history, those that it has not come to yet are the last
         * @throws IllegalStateException if a command that is no data ran in one of them, which cannot run again
         */
        TickSource after(TickSource running);
    }

    /** {@return whether {@link #correction} may change the simulation: then the run cannot be recorded, because no log can say so} */
    default boolean corrects() {
        return false;
    }

    /**
     * Called between two ticks, while no command has run since the last one.
     *
     * @param last the last tick that the simulation has run
     * @return what puts the simulation right, and returns the tick after which it then is, or -1 if it is as it was; null if nothing is
     *     wrong. It is called at once, or not at all: then this method is called again later. If it throws, the simulation cannot be used
     *     any more
     */
    default @Nullable Callable<Long> correction(long last) {
        return null;
    }

    /** {@return how many of the last ticks are kept, where there is room for them} Asked after {@link #begin}. */
    long ticks();

    /** {@return the last tick whose state an authority has decided, so that late input may not change it any more; -1 if there is none} */
    default long decided() {
        return -1;
    }

    /**
     * Begins a run.
     *
     * @param simulation the simulation that ticks
     * @param rate       the rate of the ticks
     * @throws IllegalArgumentException if its state cannot be saved
     * @throws IllegalStateException    if another run has begun before
     */
    void begin(Simulation simulation, TickRate rate);

    /**
     * Called once, before the first tick and before any command, when the simulation {@linkplain Simulation#begin() has begun}.
     *
     * @param tick       the number of the tick before the first
     * @param isDragging whether a body may be held after it, because the run begins as a fork of another one; its first tick ends that
     */
    void start(long tick, boolean isDragging);

    /**
     * Called after the step of a tick.
     *
     * @param tick     the tick
     * @param commands the commands that are data and ran since the tick before, in this order; valid during this call
     * @param localRan whether something else changed the simulation since then, so that the tick cannot be simulated again
     */
    void stepped(Tick tick, List<CommandData> commands, boolean localRan);

    /**
     * Called when the tick that was stepped last was published: the simulation is at rest.
     *
     * @param tick          its number
     * @param bodiesChanged whether bodies came or went in it
     */
    void published(long tick, boolean bodiesChanged);

    /**
     * Copies the past.
     *
     * @param tick the tick to which it leads
     * @return how to get there
     * @throws IllegalArgumentException if the tick is not kept; says which are
     */
    Past past(long tick);

    /**
     * Called when the simulation was restored to a tick: forgets those after it.
     *
     * @param tick   a tick that is kept
     * @param levels the input with the levels after it
     */
    void wentBack(long tick, InputFrame levels);
}
