package dev.escapement.bench.run;

import dev.escapement.bench.measure.CountedInputs;
import dev.escapement.cluster.aeron.ClusterNode;
import dev.escapement.cluster.aeron.StoredLog;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.state.time.TickRate;
import java.nio.file.Path;
import java.util.Collections;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The log of a node of {@code escapement cluster}, and the world that it is of.
 *
 * @param scene what the world is built from
 * @param world built as on the node
 * @param log   what the node has stored
 */
record NodeLog(RecordedScene scene, World world, StoredLog log) {

    private static final Pattern WORDS =
            Pattern.compile("(\\w+) (.+), scene '(.+)', seed 0, 100 Hz, lead (\\d+) ns, nodes (\\d), log version \\d+");

    /**
     * Opens the folder of a node.
     *
     * @throws IllegalArgumentException if it has no log that can be run again from its first tick, or one of another world
     */
    static NodeLog open(Path folder) {
        try {
            return read(folder);
        } catch (IllegalStateException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    private static NodeLog read(Path folder) {
        String words = StoredLog.describe(folder);
        Matcher run = WORDS.matcher(words);
        if (!run.matches()) {
            throw new IllegalArgumentException(
                    "the log in " + folder + " is of a run that is not known here: " + words);
        }
        RunDescription description =
                new RunDescription(run.group(1), run.group(2), run.group(3), 0, TickRate.hertz(100));
        RecordedScene scene = RecordedScene.of(description);
        World built = scene.createWorld();
        World world = new World(CountedInputs.of(built.simulation()), null, built.scene());
        ClusterNode node = new ClusterNode(
                0,
                Collections.nCopies(Integer.parseInt(run.group(5)), "localhost"),
                ClusterNode.FIRST_PORT,
                folder,
                description,
                Long.parseLong(run.group(4)));
        try {
            return new NodeLog(scene, world, StoredLog.open(node, world.simulation()));
        } catch (RuntimeException e) {
            world.simulation().close();
            throw e;
        }
    }
}
