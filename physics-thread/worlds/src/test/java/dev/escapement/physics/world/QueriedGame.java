package dev.escapement.physics.world;

import dev.escapement.state.world.BodyShape.Form;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A game's world for {@link ExistingWorldQueriesContract}: shapes of all kinds, and the engine's own queries, which know nothing of a query
 * world. Poses are x, y, z and the quaternion x, y, z, w; in two dimensions z and the rotations about x and y are 0.
 */
public interface QueriedGame<W, B> extends GameWorld<W, B> {

    /** A cube of 1 m, a ball with a radius of 0.4 m, a hull, a compound, and a mesh that forces do not move. */
    enum Kind {
        BOX,
        BALL,
        HULL,
        COMPOUND,
        MESH
    }

    /** A hit body, and the part of the way up to it. */
    record Hit(@Nullable Object body, double fraction) {

        /** Nothing hit. */
        public static final Hit NONE = new Hit(null, Double.POSITIVE_INFINITY);
    }

    /** Returns whether the world is flat. */
    boolean isFlat();

    /** Adds a body at a pose. An engine without a kind takes another one that is as uneven. */
    B addForm(Kind kind, double[] pose);

    /** Gives a body another shape. Returns false if the engine cannot. */
    boolean reform(B body, Kind kind);

    /** Returns the nearest hit of a ray, by the engine's own call. */
    Hit cast(double[] from, double[] way);

    /** Returns the bodies that overlap a form, by the engine's own call. */
    Set<Object> overlapping(Form form, double[] pose);

    /** Returns the first hit of a moving form, by the engine's own call; null if the engine has none. */
    @Nullable
    Hit sweep(Form form, double[] pose, double[] way);
}
