package dev.escapement.bench.run;

import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.measure.CountedInputs;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.state.time.TickRate;
import java.util.Arrays;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The scene of the main job or of a cluster, as a log describes it: the words from which the same world is built again.
 *
 * @param engine  the simulation
 * @param bodies  how many bodies
 * @param counted whether it also counts numbered commands, as on the nodes of a cluster
 */
public record RecordedScene(Engine engine, int bodies, boolean counted) {

    private static final Pattern SCENE = Pattern.compile("(\\d{1,9}) bodies(, counted inputs)?");
    private static final long NO_SEED = 0;

    /** What a log says of it. */
    public RunDescription describe(TickRate rate) {
        String scene = bodies + " bodies" + (counted ? ", counted inputs" : "");
        return new RunDescription(engine.toString(), engine.version(), scene, NO_SEED, rate);
    }

    /**
     * Reads a description.
     *
     * @throws IllegalArgumentException if there is no such scene here, or its engine now is another version
     */
    static RecordedScene of(RunDescription run) {
        Engine engine = Arrays.stream(Engine.values())
                .filter(known -> known.toString().equals(run.engine()))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("the run was recorded with the engine '" + run.engine()
                        + "', but only " + Arrays.toString(Engine.values()) + " are known here"));
        Matcher scene = SCENE.matcher(run.scene());
        if (!scene.matches() || Integer.parseInt(scene.group(1)) > RunOptions.MAX_BODIES || run.seed() != NO_SEED) {
            throw new IllegalArgumentException("the recorded scene '" + run.scene() + "' with seed " + run.seed()
                    + " is not known here; known are '0 bodies' to '" + RunOptions.MAX_BODIES + " bodies' with seed "
                    + NO_SEED);
        }
        if (!run.engineVersion().equals(engine.version())) {
            throw new IllegalArgumentException("the run was recorded with " + engine + " " + run.engineVersion()
                    + ", but here is " + engine.version()
                    + ", which may compute other bits; replay it with the version that recorded it");
        }
        return new RecordedScene(engine, Integer.parseInt(scene.group(1)), scene.group(2) != null);
    }

    World createWorld() {
        World world = World.create(engine, bodies);
        return counted ? new World(CountedInputs.of(world.simulation()), null, world.scene()) : world;
    }

    @Override
    public String toString() {
        return engine + ", " + bodies + " bodies";
    }
}
