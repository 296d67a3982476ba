package dev.escapement.state.world;

import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A simulation that knows the shapes of its bodies, and perhaps their joints. Optional: without it, tools show each body as a box.
 *
 * <pre>{@code
 * public BodyShape shape(long body) {
 *     return world.shape(body); // of a simulation around another one
 * }
 * }</pre>
 *
 * <p>Physics thread only. Called between two ticks, a few bodies at a time, and only while a viewer is attached.
 */
@FunctionalInterface
public interface ShapeSource {

    /**
     * {@return the shape of a body, null if it is not known or the body is gone}
     *
     * @param body the {@link dev.escapement.state.snapshot.BodyId} of a body, perhaps of one that is gone
     */
    @Nullable
    BodyShape shape(long body);

    /** {@return the joints of the bodies that readers see, found one after the other as they are asked for; none by default} */
    default Stream<BodyJoint> joints() {
        return Stream.empty();
    }
}
