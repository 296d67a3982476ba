package dev.escapement.physics;

import dev.escapement.physics.command.Command;
import dev.escapement.state.service.BodyShape;
import dev.escapement.state.service.ShapeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Asks a simulation for the shapes of bodies: a query, so that it runs on the physics thread between two ticks. */
record ShapeQuery(Simulation simulation, List<Long> bodies) implements Command<List<@Nullable BodyShape>> {

    ShapeQuery {
        bodies = List.copyOf(Objects.requireNonNull(bodies, "bodies must not be null; pass the ids of the bodies"));
    }

    @Override
    public List<@Nullable BodyShape> run(long tick) {
        List<@Nullable BodyShape> shapes = new ArrayList<>();
        if (simulation instanceof ShapeSource source) {
            bodies.forEach(body -> shapes.add(source.shape(body)));
        }
        return shapes;
    }
}
