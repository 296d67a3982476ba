package dev.escapement.state.world;

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

    /** {@return the joints of the bodies that readers see, as a lazy stream; none by default} */
    default Stream<BodyJoint> joints() {
        return Stream.empty();
    }
}
