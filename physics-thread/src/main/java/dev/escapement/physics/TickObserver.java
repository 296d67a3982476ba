package dev.escapement.physics;

import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Observes a run so closely that its last ticks can be repeated, however it fails. The thread that ticks calls; each method may throw
 * nothing, and returns soon.
 *
 * @see PhysicsServiceBuilder#flightRecorder
 */
public interface TickObserver {

    /**
     * Called once, before the first tick.
     *
     * @param simulation the simulation that ticks
     * @param rate       the rate of the ticks
     * @throws IllegalArgumentException if this observer expects another rate
     * @throws IllegalStateException    if it has observed another run
     */
    default void begin(Simulation simulation, TickRate rate) {}

    /**
     * Called before a command runs.
     *
     * @param tick    the tick before whose step it runs
     * @param command {@link dev.escapement.physics.command.CommandData}, or an object of another class, which cannot be repeated
     */
    default void command(long tick, Object command) {}

    /**
     * Called before a step.
     *
     * @param tick the tick, with what it is about to get
     */
    default void beginTick(Tick tick) {}

    /**
     * Called when a tick was published and its listeners were called: the simulation is at rest, and its state may be saved.
     *
     * @param tick      its number
     * @param tookNanos how long it took until it was published
     */
    default void endTick(long tick, long tookNanos) {}

    /**
     * Called when the run went back, and the simulation was restored, before what comes after that.
     *
     * @param tick the tick to which it went back; that after it is the next
     */
    default void wentBack(long tick) {}

    /**
     * Called when something went wrong. Any thread.
     *
     * @param fault what
     */
    default void fault(TickFault fault) {}

    /**
     * Writes the last ticks to a file. Any thread.
     *
     * @param file a file that does not exist
     * @throws IOException           if it cannot be written
     * @throws IllegalStateException if no ticks are kept
     */
    default void save(Path file) throws IOException {
        throw new IllegalStateException("there is no flight recorder whose last seconds could be saved;"
                + " give the builder one with flightRecorder(...)");
    }

    /**
     * Called when the service or driver has ended and its simulation was closed; once more, by other threads, if a tick hangs. Returns when
     * all is put aside.
     */
    default void end() {}
}
