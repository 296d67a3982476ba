package dev.escapement.physics.query;

import java.util.function.BiConsumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Describes the bodies of an engine's world to query worlds. Physics thread only, because the engine's shapes can be read only there.
 *
 * @param <B> the engine's bodies
 * @param <D> a description of a body, which another thread can read
 */
public interface QueryBodies<B, D> {

    /**
     * {@return a description of a body; null if no query can hit it} Shares immutable shapes with the body, and copies all else.
     *
     * @param body a body in the world
     */
    @Nullable
    D describe(B body);

    /**
     * {@return what identifies a body, also on other threads; by default the body}
     *
     * @param body a body in the world
     */
    default Object key(B body) {
        return body;
    }

    /**
     * Describes the static bodies that are not attached.
     *
     * @param attached whether a body is attached
     * @param fixed    takes the key of each of these bodies, and its description
     * @return the number of other bodies that are not attached, which no query can hit
     */
    int describeFixed(Predicate<B> attached, BiConsumer<Object, D> fixed);

    /** {@return the queries of a new query world} */
    QueryEngine<D, ?> open();
}
