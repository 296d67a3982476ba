package dev.escapement.bench.run;

import dev.escapement.bench.own.OwnSimulation;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Where the world of a run comes from.
 *
 * @param name   what people call it
 * @param engine the engine that is built in, null for a simulation from outside
 * @param worlds makes a world of so many bodies
 */
record WorldSource(String name, @Nullable Engine engine, IntFunction<World> worlds) {

    static WorldSource of(Engine engine) {
        return new WorldSource(engine.toString(), engine, bodies -> World.create(engine, bodies));
    }

    static WorldSource of(OwnSimulation own) {
        return new WorldSource(own.name(), null, bodies -> World.of(own.create(bodies)));
    }

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
        return new RecordedScene(engine, bodies);
    }
}
