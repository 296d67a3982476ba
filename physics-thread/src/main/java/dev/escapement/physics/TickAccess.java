package dev.escapement.physics;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.Command;
import dev.escapement.physics.restore.RestoreRefusedException;
import dev.escapement.state.event.EventHub;
import dev.escapement.state.event.TickEvents;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.RecordedInput;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What a hook may do with its run: ask, jump to another tick, run ticks again, and begin or go on with other input.
 *
 * <p>Ticks have two numbers. The <i>published tick</i> is what readers count; it never goes back. The <i>simulation tick</i> is what the
 * simulation counts; it goes back with the state. All numbers here are simulation ticks, but {@link #publishedTick()}.
 *
 * <p><b>Threads.</b> Any thread may call what is constant and {@link #between}. {@link #correctContacts} and {@link #keepLateInput} belong to
 * {@link TickHook#begin}, the rest to the thread that ticks, within {@link TickHook#start()}, {@link TickHook#between()}, or what {@link #between} runs.
 *
 * @see TickHook#begin
 */
public interface TickAccess {

    /** Brings the simulation to another state. */
    @FunctionalInterface
    interface Restore {

        /**
         * Restores a state, and perhaps steps from there.
         *
         * @param atRest to be called when a state was restored, and after each step from there; null if nobody looks
         * @throws RestoreRefusedException if the simulation has refused the state, and has not changed: the run goes on
         * @throws Exception               anything else: nothing runs on the simulation any more
         */
        void restore(@Nullable Callable<?> atRest) throws Exception;
    }

    /** The ticks that may be re-simulated. */
    interface PastTicks {

        /**
         * {@return the readers' number of a tick}
         *
         * @param tick its number
         * @throws IllegalArgumentException if it cannot be re-simulated
         */
        long published(long tick);

        /**
         * {@return when simulated time had left the tick before}
         *
         * @param tick its number
         */
        long fromNanos(long tick);

        /**
         * {@return when it was due}
         *
         * @param tick its number
         */
        long dueNanos(long tick);

        /**
         * {@return an empty list that takes the contacts of a re-simulated tick}
         *
         * @param tick   its number
         * @param bodies its bodies
         */
        TickEvents contacts(long tick, Snapshot bodies);
    }

    /** {@return where the ticks come from now: what is offered to this service, a run that is followed, or what {@link #jump} was given} */
    TickSource source();

    /** {@return whether the next tick takes the input that is offered to this service} */
    boolean takesOfferedInput();

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

    /** {@return whether the run follows another one, as in a replay} Constant. */
    boolean follows();

    /** {@return all hooks, in their order} Constant. */
    List<TickHook> hooks();

    /**
     * Sets the correction of contacts after {@linkplain #resimulate re-simulations}. Called in {@link TickHook#begin}.
     *
     * @param correction keeps the contacts of the last ticks
     */
    void correctContacts(EventHub.Correction correction);

    /** Lets input that comes after its tick wait for {@link #nextLate()}, instead of the next tick. Called in {@link TickHook#begin}. */
    void keepLateInput();

    /** {@return the last tick that has run; before the first, one less than its number} */
    long lastTick();

    /** {@return the last tick that readers can see, by their count} */
    long publishedTick();

    /**
     * Holds the slots of bodies that are gone, for the bodies of the past, until the next capture: no thread can reserve them until then.
     *
     * @return how many of them are reserved already, for bodies that are yet to be spawned; then none are held, and the run cannot go back
     *     before these were spawned
     */
    int holdSlots();

    /**
     * Goes to another tick, usually back. Readers' count goes on: the next snapshot breaks the motion of what has jumped. Commands that have
     * run since the last tick are forgotten.
     *
     * @param tick the tick whose state is restored; the next one follows it
     * @param how  restores it
     * @param then where the ticks come from until it has no more; then, or if null, they come from where they would without a jump;
     *             nothing closes it
     * @throws RestoreRefusedException  if the simulation has refused the state
     * @throws IllegalStateException    if slots are {@linkplain #holdSlots() reserved}, or a tick runs
     * @throws Exception                what restoring has thrown: the run ends
     */
    void jump(long tick, Restore how, @Nullable TickSource then) throws Exception;

    /**
     * Re-simulates the last ticks, from another state or with other input, and ends at the tick where the run is now: its numbers stay, and
     * offered input waits. Views fade the error of the published snapshot. The next tick retracts contacts that did not happen, and delivers
     * those that did.
     *
     * @param from the first tick to re-simulate
     * @param how  restores the state before it
     * @param with has these ticks
     * @param past has the times of these ticks, and takes their contacts
     * @throws RestoreRefusedException  if the simulation has refused the state
     * @throws IllegalArgumentException if {@code past} lacks one of them
     * @throws IllegalStateException    if {@link #holdSlots()} cannot, no tick was published yet, commands have run since, or a tick runs
     * @throws Exception                what restoring or a tick has thrown: the run ends
     */
    void resimulate(long from, Restore how, TickSource with, PastTicks past) throws Exception;

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
     * Continues after ticks were re-simulated with more input. Levels that have changed since then stay changed.
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

    /**
     * Goes on after a jump with what is offered now: the next tick gets an event for each sender that joined or left after that tick.
     *
     * @param past the input of the tick to which the run went
     */
    void continueInputFrom(InputFrame past);

    /** Lets the next tick end a drag, because the state may hold a body. */
    void endDrag();

    /**
     * Runs something between two ticks that may {@link #jump}, or {@link #resimulate} if no command has run since the last tick, in the order of
     * the commands that its thread offers. Any thread.
     *
     * @param name names it in messages
     * @param run  what to run
     * @param <T>  what it returns
     * @return completed as the future of {@link TickingWorld#command}
     */
    <T extends @Nullable Object> CompletableFuture<Answer<T>> between(String name, Command<T> run);
}
