package dev.escapement.state.world;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A simulation that knows the shapes of its bodies, and perhaps their joints. Optional: without it, tools draw bodies as boxes.
 *
 * <pre>{@code
 * public BodyShape shape(long body) {
 *     return world.shape(body); // a simulation that wraps another one
 * }
 * }</pre>
 *
 * <p>Tools ask once for each body, and again after {@link dev.escapement.state.capture.PoseWriter#reshape}.
 *
 * <p>Physics thread only. Called between two ticks, a few bodies at a time, and only while a viewer is attached.
 */
@FunctionalInterface
public interface ShapeSource {

    /**
     * {@return the shape of a body, null if it is not known or the body was despawned}
     *
     * @param body the {@link dev.escapement.state.snapshot.BodyId} of a body, perhaps despawned
     */
    @Nullable
    BodyShape shape(long body);

    /**
     * Adds the shapes of the bodies whose shapes are still missing, in their order. Physics waits meanwhile: a source may stop at any point
     * and is called again in the next query, which continues there. The default adds all.
     *
     * @param bodies the ids of bodies, as for {@link #shape}
     * @param shapes has the shapes of the first bodies; takes the others
     */
    default void shapes(List<Long> bodies, List<@Nullable BodyShape> shapes) {
        while (shapes.size() < bodies.size()) {
            shapes.add(shape(bodies.get(shapes.size())));
        }
    }

    /** {@return the joints of the bodies that readers see, as a lazy stream; none by default} */
    default Stream<BodyJoint> joints() {
        return Stream.empty();
    }
}
