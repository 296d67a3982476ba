package dev.escapement.physics.spi;

import dev.escapement.physics.PhysicsServiceBuilder;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;

/**
 * Accompanies a run: a recording, a history that lets the run seek, metrics. A service or driver has any number of hooks, and calls them in
 * the order in which the builder got them. The time that hooks take is part of the tick.
 *
 * <pre>{@code
 * final class LateStarts implements TickHook {
 *     private long late;
 *
 *     @Override
 *     public void published(TickTimes times) {
 *         late += times.startedNanos() - times.dueNanos() > 1_000_000 ? 1 : 0;
 *     }
 * }
 * PhysicsService physics = PhysicsService.builder(simulation).with(new LateStarts()).start();
 * }</pre>
 *
 * <p>A tick calls {@link #between()}, {@link #command} for each command, {@link #stepping}, {@link #stepped}, {@link #atRest} and, when
 * readers can see it and its events and queries are done, {@link #published}. A re-simulated tick calls neither {@link #between()} nor
 * {@link #published}. All tick numbers are the simulation's, which go back with its state. Only {@link TickTimes#tick()} is the readers'
 * number.
 *
 * <p><b>Threads.</b> The thread that ticks makes all calls, except {@link #begin}, {@link #fault} and {@link #end}.
 *
 * <p><b>Errors.</b> An exception of a hook ends the run, like an exception of the simulation. If the tick was published before, a driver
 * passes the exception to its caller, and continues. An exception of {@link #fault} is only logged. A hook that hangs is abandoned with its
 * thread, like a simulation. A hook belongs to one run: a hook that has a state refuses a second {@link #begin}.
 *
 * @see PhysicsServiceBuilder#with
 */
public interface TickHook {

    /**
     * Called when the service or driver is built, by the thread that builds it. A hook that cannot accompany the run throws here: then
     * the hooks that have begun before it receive {@link #end()}.
     *
     * @param run the run, also for later calls
     * @throws IllegalArgumentException if the rate or a feature of the run does not suit this hook
     * @throws IllegalStateException    if this hook belongs to another run
     */
    default void begin(TickAccess run) {}

    /**
     * Called once, when the simulation {@linkplain Simulation#begin() has begun}, before any command.
     *
     * @throws Exception if the run cannot begin: nothing runs on the simulation any more
     */
    default void start() throws Exception {}

    /**
     * Called at least once between two ticks, before the commands of the next one, and again and again while time stands still or the next
     * tick is far away. Here, and in a call of {@link TickAccess#between}, a run may seek.
     *
     * <p>In a pause the calls are about 10 ms apart; a call of {@link TickAccess#between} ends that wait. Not called once commands have run
     * since the last tick, because a seek would lose them.
     *
     * @throws Exception if the run cannot continue
     */
    default void between() throws Exception {}

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
    default void stepped(SteppedTick tick) {}

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
    default void published(TickTimes times) {}

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
    default void fault(TickFault fault) {}

    /**
     * Called when the service or driver has ended and its simulation was closed; without {@link #start()} if it never started. If a tick
     * hangs, another thread calls this, and the hanging thread calls it again if it returns; the two calls may overlap. Return within 3 s,
     * with everything saved.
     */
    default void end() {}
}
