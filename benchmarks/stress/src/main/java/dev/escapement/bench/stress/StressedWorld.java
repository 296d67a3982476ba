package dev.escapement.bench.stress;

import dev.escapement.physics.simulation.Simulation;
import java.util.random.RandomGenerator;

/**
 * A simulation that can stress itself, by its engine's own calls. A simulation that does not implement this is stressed from outside only.
 *
 * <pre>{@code
 * @Override
 * public void stress(RandomGenerator random) {
 *     Body body = bodies.get(random.nextInt(bodies.size()));
 *     if (random.nextBoolean()) {
 *         body.setPosition(random.nextDouble(-5, 5), 3, 0);   // a teleport, if the simulation says so in capture
 *     } else {
 *         world.remove(body);
 *     }
 * }
 * }</pre>
 */
public interface StressedWorld extends Simulation {

    /**
     * Changes one thing: teleports, pushes, adds or removes bodies. The physics thread calls it between two ticks, as a command that a log
     * repeats. So that a second run of the log has the same states, it may depend only on the state of the world and on {@code random}.
     *
     * @param random draws the same numbers in each run of the same log
     * @throws Exception if the world cannot continue; the run reports this as a failure of the world
     */
    void stress(RandomGenerator random) throws Exception;
}
