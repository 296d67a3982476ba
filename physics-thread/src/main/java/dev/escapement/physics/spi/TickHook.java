package dev.escapement.physics.spi;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.snapshot.Snapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Accompanies a run: a recording, a history that lets the run seek, metrics. A service or driver has any number of hooks, and calls them in
 * the order in which the builder got them. The time that hooks take is part of the tick.
 *
 * <pre>{@code
 * final class LateStarts implements TickHook {
 *     private long late;
 *
 *     @Override
 *     public void published(Times times) {
 *         late += times.startedNanos() - times.dueNanos() > 1_000_000 ? 1 : 0;
 *     }
 * }
 * PhysicsService physics = PhysicsService.builder(simulation).with(new LateStarts()).start();
 * }</pre>
 *
 * <p>A tick calls {@link #beforeCommands()}, {@link #command} for each command, {@link #stepping}, {@link #stepped}, {@link #atRest} and,
 * when readers can see it and its events and queries are done, {@link #published}. A re-simulated tick calls neither {@link
 * #beforeCommands()} nor {@link #published}. All tick numbers are simulation ticks, which go back with the state, except {@link
 * Times#publishedTick()}.
 *
 * <p><b>Threads.</b> The thread that ticks makes all calls, except {@link #attach}, {@link #fault} and {@link #end}.
 *
 * <p><b>Errors.</b> An exception of a hook ends the run, like an exception of the simulation. If the tick was published before, a driver
 * passes the exception to its caller, and continues. An exception of {@link #fault} is only logged. A hook that hangs is abandoned with its
 * thread, like a simulation. A hook belongs to one run: a hook that has a state refuses a second {@link #attach}.
 *
 * <p>See {@code PhysicsServiceBuilder.with}.
 */
public interface TickHook {

    /**
     * A tick that was stepped. Valid during the call that gets it, on the thread that ticks; the run reuses one object for all ticks.
     *
     * @see TickHook#stepped
     */
    interface Stepped {

        /** {@return the tick that the step received} */
        Tick tick();

        /** {@return the commands that are data and ran since the tick before, in this order} */
        List<CommandData> commands();

        /** The {@link #local()} of a command that is not data. */
        String COMMAND = "a command that is not data";

        /** The {@link #local()} of a step that drained events of its own service, which a repeat does not have. */
        String DRAINED = "events of its own service, drained in the step";

        /**
         * {@return the first thing that was used since the tick before and no log can repeat, in words; empty if nothing} {@link #COMMAND},
         * {@link #DRAINED}, or what a source log says.
         */
        String local();

        /**
         * {@return the {@link Simulation#hash()} after the step} The first call for a tick computes the hash, and later calls return it.
         *
         * @throws UnsupportedOperationException if the simulation has no hash
         */
        long stateHash();
    }

    /**
     * The instants of a tick, by the clock. Physics thread only; the run reuses one object for all ticks.
     *
     * @see TickHook#published
     */
    interface Times {

        /** {@return the published tick, which readers count} */
        long publishedTick();

        /** {@return the simulation tick, the number of {@link Tick}} */
        long simulationTick();

        /** {@return when simulated time left the tick before: the tick's input begins at that instant} */
        long fromNanos();

        /** {@return when the tick was due} */
        long dueNanos();

        /** {@return when the tick started: its lateness is the difference to {@link #dueNanos()}} */
        long startedNanos();

        /** {@return when the simulation's step returned: devices, hooks and commands came before it} */
        long steppedNanos();

        /** {@return when its snapshot was {@linkplain Snapshot#publishedNanos() published}} */
        long publishedNanos();
    }

    /**
     * A fault of a run, which each {@link TickHook} receives.
     *
     * @param reason the kind of fault
     * @param tick   the tick in which it happened; for a command, the tick before which it ran
     * @param thrown the exception, or one with the stack of a thread that hangs; null if there is none
     * @param detail details in words; may be empty
     * @see TickHook#fault
     */
    record Fault(Reason reason, long tick, @Nullable Throwable thrown, String detail) {

        /**
         * The kinds of faults. Hooks receive all of them from the service, except the last two, which a hook such as a flight recorder
         * notes itself.
         */
        public enum Reason {
            /** A command threw, or other user code did, whose exception ends the run; {@code PhysicsService} lists that code. */
            THREW,
            /** The physics thread did not return from a call, and was abandoned. */
            HUNG,
            /** A pose was not finite, or its rotation not normalised. */
            NOT_FINITE,
            /** The state differs from that in the source log. */
            DIFFERED,
            /** The process ended without closing the service, or could not write the file of a fault. */
            DIED,
            /** No fault of the run: a user requested a report, or a flight recorder, which could write no more. */
            ASKED
        }
    }

    /**
     * Called when the service or driver is built, by the thread that builds it. A hook that cannot accompany the run throws here: then
     * the hooks that were attached before it receive {@link #end()}.
     *
     * @param run the run, also for later calls
     * @throws IllegalArgumentException if the rate or a feature of the run does not suit this hook
     * @throws IllegalStateException    if this hook belongs to another run
     */
    default void attach(TickAccess run) {}

    /**
     * Called once, when the simulation {@linkplain Simulation#begin() has begun}, before any command.
     *
     * @throws Exception if the run cannot begin: nothing runs on the simulation any more
     */
    default void begun() throws Exception {}

    /**
     * Called at least once between two ticks, before the commands of the next one, and again and again while time stands still or the next
     * tick is far away. Here, and in a call of {@link TickAccess#submit}, a run may seek.
     *
     * <p>In a pause the calls are about 10 ms apart; a call of {@link TickAccess#submit} ends that wait. Not called once commands have run
     * since the last tick, because a seek would lose them.
     *
     * @throws Exception if the run cannot continue
     */
    default void beforeCommands() throws Exception {}

    /**
     * Called before a command runs.
     *
     * @param tick    the tick before whose step it runs
     * @param command {@link dev.escapement.physics.command.CommandData}, or an object of another class, which no log can repeat
     */
    default void command(long tick, Object command) {}

    /**
     * Called before a step.
     *
     * @param tick the tick that the step is about to get
     */
    default void stepping(Tick tick) {}

    /**
     * Called after a step.
     *
     * @param tick the tick with its commands and the hash of the new state; valid during this call
     */
    default void stepped(Stepped tick) {}

    /**
     * Called when the bodies of a tick were captured and its events collected: the simulation is at rest, and its state may be saved.
     *
     * @param tick          its number
     * @param bodiesChanged whether bodies were spawned or despawned in it
     */
    default void atRest(long tick, boolean bodiesChanged) {}

    /**
     * Called when readers can see a tick, after its events and queries.
     *
     * @param times its instants; valid during this call
     */
    default void published(Times times) {}

    /**
     * Called when the run sought another tick, and its state was restored: the next tick follows that one.
     *
     * @param tick        the tick whose state was restored
     * @param resimulates true if the run re-simulates all later ticks at once, and so returns to the tick where it was; false if it
     *                    continues after {@code tick}
     */
    default void sought(long tick, boolean resimulates) {}

    /**
     * Called when something went wrong. Any thread.
     *
     * @param fault the fault
     */
    default void fault(Fault fault) {}

    /**
     * Called when the service or driver has ended and its simulation was closed; without {@link #begun()} if it never started. If a tick
     * hangs, another thread calls this, and the hanging thread calls it again if it returns; the two calls may overlap. Return within 3 s,
     * with everything saved.
     */
    default void end() {}
}
