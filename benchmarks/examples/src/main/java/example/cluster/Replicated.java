package example.cluster;

import dev.escapement.cluster.aeron.ClusterNode;
import dev.escapement.cluster.aeron.ClusteredPhysics;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.state.time.TickRate;
import java.nio.file.Path;
import java.util.List;

/** A simulation on three machines. */
public final class Replicated {

    private Replicated() {}

    /**
     * Starts one of the nodes, in a process on its machine.
     *
     * @param number     0, 1 or 2
     * @param simulation built alike on each of them
     * @return the running node
     */
    public static ClusteredPhysics start(int number, Simulation simulation) {
        List<String> hosts = List.of("physics-a", "physics-b", "physics-c");
        RunDescription run = new RunDescription("our game", "1.4", "level 3", 42, TickRate.hertz(100));
        ClusterNode node = ClusterNode.of(number, hosts, Path.of("physics-log"), run);
        return ClusteredPhysics.start(PhysicsService.builder(simulation), node);
    }
}
