package dev.escapement.physics;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.Command;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A run, as a {@link TickHook} sees it, and what it may do to it.
 *
 * <p>Ticks have two numbers. The <i>published tick</i> is what readers count; it never goes back. The <i>simulation tick</i> is what the
 * simulation counts; it goes back with the state. All numbers here are simulation ticks, but {@link #publishedTick()}.
 *
 * <p><b>Threads.</b> Any thread may call what is constant and {@link #between}. {@link #prepareToRunAgain}
 * belongs to {@link TickHook#begin}, the rest to the thread that ticks, within {@link TickHook#start()}, {@link TickHook#between()}, or what {@link #between} runs.
 *
 * @see TickHook#begin
 */
public interface TickControl {

    /** Brings the simulation to another state. */
    @FunctionalInterface
    interface Restore {

        /**
         * Restores a state, and perhaps steps from there.
         *
         * @param atRest to be called when a state was restored, and after each step from there; null if nobody looks
         * @throws dev.escapement.physics.restore.RestoreRefusedException if the simulation has refused the state, and has not changed:
         *                                                                the run goes on
         * @throws Exception                                              anything else: nothing runs on the simulation any more
         */
        void restore(@Nullable Callable<?> atRest) throws Exception;
    }

    /** {@return the simulation that ticks} Constant. */
    Simulation simulation();

    /** {@return the rate of the ticks} Constant. */
    TickRate rate();

    /** {@return what a pose consists of} Constant. */
    PoseLayout layout();

    /** {@return the number of the first tick} Constant. */
    long firstTick();

    /** {@return whether ticks may wait for a disk: in a driver, not on a physics thread} Constant. */
    boolean mayWait();

    /** {@return whether ticks come from another run, as in a replay} Constant. */
    boolean follows();

    /** {@return all hooks, in their order} Constant. */
    List<TickHook> hooks();

    /**
     * Prepares for the last ticks to run again. Called in {@link TickHook#begin}.
     *
     * @param ticks    how many
     * @param lateInput whether input that comes after its tick waits for {@link #nextLate()}, instead of the next tick
     */
    void prepareToRunAgain(int ticks, boolean lateInput);

    /** {@return the last tick that has run; before the first, one less than its number} */
    long lastTick();

    /** {@return the last tick that readers can see, by their count} */
    long publishedTick();

    /** {@return where the ticks come from now: what is offered here, another run, or what {@link #jump} was given} */
    TickSource source();

    /**
     * {@return the tick, of those that {@link #prepareToRunAgain} keeps, that takes input of an instant; -1 if none does: it is too old or to
     * come, the run went back before it, or its tick took no input that was offered here}
     *
     * @param nanos an instant of the clock
     */
    long tickAt(long nanos);

    /**
     * {@return whether the ticks from one on may {@linkplain #runAgain run again}: all were published within as many ticks as
     * {@link #prepareToRunAgain} has prepared for, counted by readers, who also count ticks that were undone}
     *
     * @param from the first of them; one more than the last runs none
     */
    boolean mayRunAgain(long from);

    /**
     * {@return how many slots of bodies that are gone are reserved for bodies that are yet to be spawned} As long as there are any, the run
     * cannot go back, because the bodies of the past need their slots; they are 0 again when these bodies were spawned. If there are none,
     * slots are held until the next capture.
     */
    int reservedSlots();

    /**
     * Goes to another tick, usually back. Readers' count goes on: the next snapshot breaks the motion of what has jumped. Commands that have
     * run since the last tick are forgotten.
     *
     * @param tick the tick whose state is restored; the next one follows it
     * @param how  restores it
     * @param then where the ticks come from until it has no more; null to go on with what was offered here, or with the run that is followed
     * @throws dev.escapement.physics.restore.RestoreRefusedException if the simulation has refused the state
     * @throws IllegalStateException                                  if there are {@link #reservedSlots()}, or a tick runs
     * @throws Exception                                              what restoring has thrown: the run ends
     */
    void jump(long tick, Restore how, @Nullable TickSource then) throws Exception;

    /**
     * Runs the last ticks again, from another state or with other input, and ends at the tick where the run is now: its numbers stay, and what
     * is offered here goes on. Pictures fade what was wrong; contacts that did not happen are withdrawn in the next tick, and those that did
     * are told.
     *
     * @param from the first tick to run again
     * @param how  restores the state before it
     * @param with has these ticks
     * @throws dev.escapement.physics.restore.RestoreRefusedException if the simulation has refused the state
     * @throws IllegalArgumentException                               if they {@linkplain #mayRunAgain may not}
     * @throws IllegalStateException                                  if there are {@link #reservedSlots()}, no tick was published yet, commands have run since, or a tick runs
     * @throws Exception                                              what restoring or a tick has thrown: the run ends
     */
    void runAgain(long from, Restore how, TickSource with) throws Exception;

    /** {@return the earliest input that came after the tick to which it belongs; null if there is none, or it does not wait} */
    @Nullable
    InputEvent nextLate();

    /** {@return what {@link #nextLate()} has returned, which is taken; valid until the next tick} */
    InputEvent takeLate();

    /**
     * Drops what {@link #nextLate()} has returned. Its change of a level remains, and it is counted.
     *
     * @param why for a message, a sentence without its end
     */
    void dropLate(String why);

    /**
     * Goes on after ticks that ran again with more input. Levels that have changed since then stay changed.
     *
     * @param had the input that the last of them had
     * @param now the input that it has now
     */
    void continueInput(InputFrame had, RecordedInput now);

    /**
     * Begins with what was held elsewhere. Called in {@link TickHook#start()}.
     *
     * @param input of a tick, of which the levels are taken
     */
    void holdInput(InputFrame input);

    /** Lets the next tick end a drag, because the state may hold a body. */
    void endDrag();

    /**
     * Runs something between two ticks that may {@link #jump}, or {@link #runAgain} if no command has run since the last tick, in the order of
     * the commands that its thread offers. Any thread.
     *
     * @param name names it in messages
     * @param run  what to run
     * @param <T>  what it returns
     * @return completed as the future of {@link TickingWorld#command}
     */
    <T extends @Nullable Object> CompletableFuture<Answer<T>> between(String name, Command<T> run);
}
