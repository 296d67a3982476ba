package dev.escapement.state.world;

import dev.escapement.state.snapshot.BodyId;
import java.util.Objects;

/**
 * A joint between two bodies, or between one body and the world.
 *
 * <pre>{@code
 * new BodyJoint(
 *     new BodyJoint.End(lamp, 0, 0.5, 0),
 *     new BodyJoint.End(BodyJoint.End.WORLD, 2, 9, 0)) // the lamp hangs from a ceiling
 * }</pre>
 *
 * <p>Immutable; any thread may use it.
 *
 * @param first  one end
 * @param second the other end
 */
public record BodyJoint(End first, End second) {

    /**
     * An end of a joint.
     *
     * @param body the {@link BodyId} of its body, or {@link #WORLD}
     * @param x    metres from the position of the body, in the body's axes, 0 if the engine knows no anchor; for {@link #WORLD} metres in
     *             the world
     * @param y    metres
     * @param z    metres
     */
    public record End(long body, double x, double y, double z) {

        /** Stands for the world in place of the id of a body. No body has this id. */
        public static final long WORLD = 0;

        /**
         * Creates an end.
         *
         * @param body the id of a body, or {@link #WORLD}
         * @param x    metres
         * @param y    metres
         * @param z    metres
         * @throws IllegalArgumentException if a coordinate is not finite
         */
        public End {
            if (!Double.isFinite(x) || !Double.isFinite(y) || !Double.isFinite(z)) {
                throw new IllegalArgumentException("the anchor of a joint must be finite, but that at "
                        + (body == WORLD ? "the world" : "body " + BodyId.toString(body))
                        + " is (" + x + ", " + y + ", " + z + "); leave the joint out if there is no such anchor");
            }
        }
    }

    /**
     * Creates a joint.
     *
     * @param first  one end
     * @param second the other end
     * @throws NullPointerException if an end is null
     */
    public BodyJoint {
        Objects.requireNonNull(first, "first must not be null; for an end in the world pass an End at WORLD");
        Objects.requireNonNull(second, "second must not be null; for an end in the world pass an End at WORLD");
    }
}
