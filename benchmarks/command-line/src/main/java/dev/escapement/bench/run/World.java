package dev.escapement.bench.run;

import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.Dyn4jPile;
import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.demo.OrbitSimulation;
import dev.escapement.bench.demo.Pushable;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.Simulation;
import dev.escapement.render.lwjgl.SceneView;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A simulation and what the rest of the job needs to know of it.
 *
 * @param simulation what ticks
 * @param pushable   the same, as the player sees it; null if nobody pushes its bodies, or nothing is known of that
 * @param scene      what a renderer has to show, the metronome as its marker
 */
record World(Simulation simulation, @Nullable Pushable pushable, SceneView scene) {

    private static final float FIELD_BODY_HALF_EXTENT_METRES = 0.4f;
    private static final float FIELD_HEIGHT_METRES = 5;
    private static final float OWN_FLOOR_HALF_EXTENT_METRES = 20;
    private static final float PILE_HEIGHT_METRES = 9;
    private static final int MARKERS = 1;

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
        if (simulation instanceof OrbitSimulation orbits) {
            return field(orbits.farthestMetres());
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

    /**
     * What builds the world of a run.
     *
     * @param name   what people call it
     * @param engine the engine that is built in, null for a simulation from outside
     * @param worlds makes a world of so many bodies
     */
    record Source(String name, @Nullable Engine engine, IntFunction<World> worlds) {

        /**
         * What a log says of the scene, so that it can be built again.
         *
         * @throws IllegalArgumentException if it comes from outside, where a replay would not find it
         */
        RecordedScene recorded(int bodies) {
            if (engine == null) {
                throw new IllegalArgumentException("--record writes a log for 'escapement replay', which cannot build "
                        + name + " again; leave out --record or --simulation");
            }
            return new RecordedScene(engine, bodies, false);
        }
    }
}
