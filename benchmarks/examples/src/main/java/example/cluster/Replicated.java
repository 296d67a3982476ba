package example.cluster;

import dev.escapement.cluster.aeron.ClusterNode;
import dev.escapement.cluster.aeron.ClusteredPhysics;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.jolt.JoltWorldSimulation;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.state.time.TickRate;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** A simulation that three machines run as replicas. */
public final class Replicated {

    private Replicated() {}

    /**
     * Starts one of the nodes, whose {@code number} is 0, 1 or 2, in a process on its machine. Each machine must build the simulation in
     * the same way.
     */
    public static ClusteredPhysics start(int number, Simulation simulation) {
        List<String> hosts = List.of("physics-a", "physics-b", "physics-c");
        RunDescription run = new RunDescription("our game", "1.4", "level 3", 42, TickRate.hertz(100));
        ClusterNode node = ClusterNode.of(number, hosts, Path.of("physics-log"), run);
        return ClusteredPhysics.start(PhysicsService.builder(simulation), node);
    }

    /** A command that reports a goal. */
    public record Goal(int team) {

        static final CommandType<Goal, Long> TYPE =
                CommandType.of("goal", 1, (goal, to) -> to.writeInt(goal.team()), from -> new Goal(from.readInt()));
    }

    /** Game state that is not part of the engine's world. */
    private static final class Score implements Restorable {
        private final long[] goals = new long[2];

        long add(int team) {
            return ++goals[team];
        }

        @Override
        public void save(StateBuffer to) {
            Arrays.stream(goals).forEach(to::put);
        }

        @Override
        public void restore(StateBuffer from) {
            Arrays.setAll(goals, team -> from.getLong());
        }
    }

    /**
     * Lets a command count goals. All nodes get the same score, even a node that is started again.
     *
     * @param simulation not started yet
     */
    public static void countGoals(JoltWorldSimulation simulation) {
        Score score = new Score();
        simulation.keep(score);
        simulation.commands().on(Goal.TYPE, (tick, goal) -> score.add(goal.team()));
    }
}
