package dev.escapement.physics.spi;

import dev.escapement.physics.command.Answer;
import dev.escapement.physics.command.Command;
import dev.escapement.physics.restore.RestoreRefusedException;
import dev.escapement.physics.simulation.PhysicsStats;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.event.EventHub;
import dev.escapement.state.event.TickEvents;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputSampler;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Gives a hook access to its run: to query it, to seek another tick, to re-simulate ticks, and to continue with other input.
 *
 * <p>Ticks have two numbers. Readers count the <i>published tick</i>, which never goes back. The simulation counts the <i>simulation
 * tick</i>, which goes back with the state. All numbers here are simulation ticks, except {@link #publishedTick()} and
 * {@link PastTicks#published}.
 *
 * <p><b>Threads.</b> Any thread may call {@link #submit} and the methods that are marked as constant. {@link #correctContacts}
 * belongs to {@link TickHook#attach}, the rest to the physics thread, within {@link TickHook#begun()}, {@link
 * TickHook#beforeCommands()}, or a call of {@link #submit}.
 *
 * @see TickHook#attach
 */
public interface TickAccess {

    /** Brings the simulation to another state. */
    @FunctionalInterface
    interface Restore {

        /**
         * Restores a state, and perhaps steps from there.
         *
         * @param atRest the restore calls it when a state is restored, and after each step from there; null in {@link #seek}
         * @throws RestoreRefusedException if the simulation refuses the state and has not changed: the run continues
         * @throws Exception               anything else: nothing runs on the simulation any more
         */
        void restore(@Nullable Callable<?> atRest) throws Exception;
    }

    /** The ticks that may be re-simulated. */
    interface PastTicks {

        /**
         * {@return the readers' number of a tick}
         *
         * @param tick the simulation's number of the tick
         * @throws IllegalArgumentException if the tick cannot be re-simulated
         */
        long published(long tick);

        /**
         * {@return the instant at which simulated time passed the tick before this one}
         *
         * @param tick the number of this tick
         */
        long fromNanos(long tick);

        /**
         * {@return the instant at which a tick was due}
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

    /** {@return the simulation that ticks} Constant. */
    Simulation simulation();

    /** {@return the rate of the ticks} Constant. */
    TickRate rate();

    /** {@return the channels of a pose} Constant. */
    PoseLayout layout();

    /** {@return the statistics of the run, to which a hook may add counts} Any thread. */
    PhysicsStats stats();

    /** {@return the number of the first tick} Constant. */
    long firstTick();

    /** {@return whether hooks may make a tick wait for a disk: true in a driver, false on a physics thread} Constant. */
    boolean mayWait();

    /** {@return whether the run follows another one, as in a replay} Constant. */
    boolean follows();

    /** {@return all hooks, in their order} Constant. */
    List<TickHook> hooks();

    /**
     * Sets the correction of contacts after {@linkplain #resimulate re-simulations}, and lets the run note each teleport for them. Called
     * in {@link TickHook#attach}.
     *
     * @param correction keeps the contacts of the last ticks
     */
    void correctContacts(EventHub.Correction correction);

    /** {@return the last tick that ran; before the first tick, one less than {@link #firstTick()}, or 0 in a replay} */
    long lastSimulationTick();

    /** {@return the number, as readers count, of the last tick that they can see} */
    long publishedTick();

    /**
     * Keeps the slots of despawned bodies free until the next capture, because a seek may bring these bodies back. Until then no thread can
     * reserve one of these slots.
     *
     * @return how many of these slots are reserved already for bodies that are yet to be spawned. Above 0, no slot is kept free, and the
     *     run cannot seek before these bodies are spawned
     */
    int holdSlots();

    /**
     * Seeks another tick, usually a past one. The readers' count continues, and in the next snapshot each body with another pose counts as
     * teleported, so that no view interpolates its motion. Commands that ran since the last tick are forgotten.
     *
     * @param tick the tick whose state is restored; the run continues with the tick after it
     * @param how  restores it
     * @throws RestoreRefusedException  if the simulation refuses the state
     * @throws IllegalStateException    if slots are {@linkplain #holdSlots() reserved}, or a tick runs
     * @throws Exception                what the restore throws: the run ends
     */
    void seek(long tick, Restore how) throws Exception;

    /**
     * Re-simulates the last ticks, from another state or with other input, and ends at the tick where the run is now: tick numbers stay,
     * and input that is offered meanwhile waits for the next tick. Views fade out the error of the published snapshot. The next tick
     * retracts delivered contacts that no longer happen, and delivers the new ones.
     *
     * @param from the first tick to re-simulate
     * @param how  restores the state before it
     * @param with the source of these ticks
     * @param past has the times of these ticks, and takes their contacts
     * @throws RestoreRefusedException  if the simulation refuses the state
     * @throws IllegalArgumentException if {@code past} lacks one of these ticks
     * @throws IllegalStateException    if slots are {@linkplain #holdSlots() reserved}, no tick is published yet, commands ran since, or a
     *                                  tick runs
     * @throws Exception                what the restore or a tick throws: the run ends
     */
    void resimulate(long from, Restore how, TickSource with, PastTicks past) throws Exception;

    /**
     * {@return the sampler of the input that is offered to the run} A hook may keep late input there ({@link TickHook#attach}), begin with
     * the levels of another run ({@link TickHook#begun()}), and, after a seek or a re-simulation, continue with the levels, senders and
     * drags that the new state needs.
     */
    InputSampler input();

    /**
     * Counts late input that no tick gets. The first is logged.
     *
     * @param event the input
     * @param why   a part of a sentence, for the message
     */
    void droppedLate(InputEvent event, String why);

    /**
     * Runs a call between two ticks, in order with the commands that the calling thread offers. The call may {@link #seek}, or {@link
     * #resimulate} if no command ran since the last tick. Any thread.
     *
     * @param name the name of the call in messages
     * @param run  the call
     * @param <T>  what it returns
     * @return completed as the future of {@code TickingWorld.command}
     */
    <T extends @Nullable Object> CompletableFuture<Answer<T>> submit(String name, Command<T> run);
}
