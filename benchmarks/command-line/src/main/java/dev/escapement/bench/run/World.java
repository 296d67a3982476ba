package dev.escapement.bench.run;

import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.Dyn4jPile;
import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.demo.OwnSimulation;
import dev.escapement.bench.demo.Pushable;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.Simulation;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.state.time.TickRate;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A simulation and what the rest of the job needs to know of it. A log describes it in words, from which the same world is built again.
 *
 * @param simulation what ticks
 * @param pushable   the same, as the player sees it; null if nobody pushes its bodies, or nothing is known of that
 * @param scene      what a renderer has to show, the metronome as its marker
 */
public record World(Simulation simulation, @Nullable Pushable pushable, SceneView scene) {

    private static final float FIELD_BODY_HALF_EXTENT_METRES = 0.4f;
    private static final float FIELD_HEIGHT_METRES = 5;
    private static final float OWN_FLOOR_HALF_EXTENT_METRES = 20;
    private static final float PILE_HEIGHT_METRES = 9;
    private static final int MARKERS = 1;

    private static final Pattern SCENE = Pattern.compile("(\\d{1,9}) bodies");
    private static final long NO_SEED = 0;

    /**
     * Builds the scene, the same each time.
     *
     * @throws IllegalArgumentException if the engine cannot run here
     */
    static World create(Engine engine, int bodies) {
        Simulation simulation = engine.simulation(bodies);
        Pushable pushable = simulation instanceof Pushable pushed ? pushed : null;
        return new World(simulation, pushable, scene(simulation, new BoxPile(bodies)));
    }

    private static SceneView scene(Simulation simulation, BoxPile pile) {
        if (simulation instanceof SpringSimulation springs) {
            return field(springs.floorHalfExtent());
        }
        boolean inPlane = simulation instanceof Dyn4jPile;
        double halfExtentMetres = inPlane ? pile.floorHalfExtentInPlane() : pile.floorHalfExtent();
        return new SceneView((float) halfExtentMetres, BoxPile.HALF_EXTENT, PILE_HEIGHT_METRES, MARKERS);
    }

    /** What shows bodies that hover over a floor. */
    private static SceneView field(double halfExtentMetres) {
        return new SceneView((float) halfExtentMetres, FIELD_BODY_HALF_EXTENT_METRES, FIELD_HEIGHT_METRES, MARKERS);
    }

    /** A simulation from outside, without a player and without a marker; its extent is guessed. */
    static World of(Simulation own) {
        return new World(
                own, null, new SceneView(OWN_FLOOR_HALF_EXTENT_METRES, BoxPile.HALF_EXTENT, PILE_HEIGHT_METRES, 0));
    }

    /** What a log says of a scene, so that it can be built again. */
    public static RunDescription describe(Engine engine, int bodies, TickRate rate) {
        return new RunDescription(engine.toString(), engine.version(), bodies + " bodies", NO_SEED, rate);
    }

    /**
     * What builds the world of a run.
     *
     * @param name   what people call the simulation
     * @param engine the engine that is built in, null for a simulation from outside
     * @param bodies how many
     * @param worlds makes a world
     */
    record Source(String name, @Nullable Engine engine, int bodies, Supplier<World> worlds) {

        static Source of(Engine engine, int bodies) {
            return new Source(engine.toString(), engine, bodies, () -> World.create(engine, bodies));
        }

        static Source of(OwnSimulation own, int bodies) {
            return new Source(own.name(), null, bodies, () -> World.of(own.create(bodies)));
        }

        /**
         * Reads what a log says of the scene of the main job.
         *
         * @throws IllegalArgumentException if there is no such scene here, or its engine now is another version
         */
        static Source of(RunDescription run) {
            Engine engine = Arrays.stream(Engine.values())
                    .filter(known -> known.toString().equals(run.engine()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("the run was recorded with the engine '"
                            + run.engine() + "', but only " + Arrays.toString(Engine.values()) + " are known here"));
            Matcher scene = SCENE.matcher(run.scene());
            if (!scene.matches() || Integer.parseInt(scene.group(1)) > RunOptions.MAX_BODIES || run.seed() != NO_SEED) {
                throw new IllegalArgumentException("the recorded scene '" + run.scene() + "' with seed " + run.seed()
                        + " is not known here; known are '0 bodies' to '" + RunOptions.MAX_BODIES
                        + " bodies' with seed " + NO_SEED);
            }
            if (!run.engineVersion().equals(engine.version())) {
                throw new IllegalArgumentException("the run was recorded with " + engine + " " + run.engineVersion()
                        + ", but here is " + engine.version()
                        + ", which may compute other bits; replay it with the version that recorded it");
            }
            return of(engine, Integer.parseInt(scene.group(1)));
        }

        /**
         * What a log says of it.
         *
         * @throws IllegalArgumentException if it comes from outside, where a replay would not find it
         */
        RunDescription describe(TickRate rate) {
            if (engine == null) {
                throw new IllegalArgumentException("--record writes a log for 'escapement replay', which cannot build "
                        + name + " again; leave out --record or --simulation");
            }
            return World.describe(engine, bodies, rate);
        }

        @Override
        public String toString() {
            return name + ", " + bodies + " bodies";
        }
    }
}
