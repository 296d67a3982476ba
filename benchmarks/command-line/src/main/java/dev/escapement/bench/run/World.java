package dev.escapement.bench.run;

import dev.escapement.bench.demo.BoxPile;
import dev.escapement.bench.demo.Engine;
import dev.escapement.bench.demo.EngineBodies;
import dev.escapement.bench.demo.Machine;
import dev.escapement.bench.demo.SpringSimulation;
import dev.escapement.physics.replay.RunDescription;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.state.time.TickRate;

/**
 * A simulation and what the main job must know about it. A log stores a text from which the same world can be built again.
 *
 * @param simulation the simulation that ticks the world
 * @param scene      the scene to draw
 * @param isOwn      whether the simulation was named by --simulation. Such a world has no scripted player and no metronome, and nobody
 *                   knows which input it uses
 */
public record World(Simulation simulation, SceneView scene, boolean isOwn) {

    private static final float BODY_HALF_EXTENT_METRES = 0.4f;
    private static final float FIELD_HEIGHT_METRES = 5;
    private static final float OWN_FLOOR_HALF_EXTENT_METRES = 20;
    private static final float OWN_HEIGHT_METRES = 9;

    /** The seed that a log stores; any value would do, because these worlds use no random numbers. */
    static final long NO_SEED = 0;

    /**
     * Builds the world of an engine; equal arguments build equal worlds. Throws an {@link IllegalArgumentException} if the engine cannot
     * run here.
     */
    static World create(Engine engine, int bodies) {
        Simulation simulation = engine.simulation(bodies);
        return new World(simulation, scene(simulation), false);
    }

    private static SceneView scene(Simulation simulation) {
        if (simulation instanceof EngineBodies<?> engine && engine.machine() != null) {
            Machine machine = engine.machine();
            return view(machine.floorHalfExtent(), machine.height());
        }
        double extent = simulation instanceof SpringSimulation springs
                ? springs.floorHalfExtent()
                : OWN_FLOOR_HALF_EXTENT_METRES;
        return view(extent, FIELD_HEIGHT_METRES);
    }

    private static SceneView view(double floorHalfExtent, double height) {
        return new SceneView((float) floorHalfExtent, BODY_HALF_EXTENT_METRES, (float) height);
    }

    /** Wraps a simulation of --simulation. A scene of fixed size is assumed, because the simulation does not tell its extent. */
    static World of(Simulation own) {
        SceneView scene = new SceneView(OWN_FLOOR_HALF_EXTENT_METRES, BoxPile.HALF_EXTENT, OWN_HEIGHT_METRES);
        return new World(own, scene, true);
    }

    /** Describes a world for a log, so that a replay can build the same world. */
    public static RunDescription describe(Engine engine, int bodies, TickRate rate) {
        return new RunDescription(engine.toString(), engine.version(), bodies + " bodies", NO_SEED, rate);
    }
}
