package dev.escapement.physics.query;

import java.util.Objects;

/**
 * The bodies that a query may hit.
 *
 * <pre>{@code
 * QueryFilter.groups(1L << WALLS | 1L << CRATES)                     // in Jolt, bit n is layer n
 * QueryFilter.ALL.only((bodyId, userData) -> bodyId != playerId)     // all but the asker
 * }</pre>
 *
 * <p>Immutable; any thread may use it. Keep a filter, because creating one allocates.
 *
 * @param groups    a bit for each group that may be hit. A shape is hit if it is in one of them. The engine defines the groups: Jolt's
 *                  object layer {@code n} is bit n, and bit 63 for all layers from 63 on; Bullet's collision group, Box2D's and ode4j's
 *                  category bits and dyn4j's {@code CategoryFilter} are taken as they are, and other filters of dyn4j are in all groups;
 *                  in PhysX, word 0 of a shape's query filter data is bits 0 to 31, word 1 is bits 32 to 63, and 0 is all groups
 * @param predicate accepts or refuses a body in these groups
 */
public record QueryFilter(long groups, Predicate predicate) {

    /** All bodies. */
    public static final QueryFilter ALL = new QueryFilter(-1L, (bodyId, userData) -> true);

    /** The game's own choice of bodies. */
    @FunctionalInterface
    public interface Predicate {

        /**
         * Accepts or refuses a body. The asking thread calls this within the query, once for each candidate; it must not ask the query
         * world.
         *
         * @param bodyId   the body's id; 0 for a static body that is not attached
         * @param userData the game's own number for the body; 0 if it is not attached
         * @return whether the query may hit the body
         */
        boolean accepts(long bodyId, long userData);
    }

    /**
     * Creates a filter.
     *
     * @param groups    see the type
     * @param predicate see the type
     */
    public QueryFilter {
        Objects.requireNonNull(predicate, "predicate must not be null; pass ALL.predicate() for no choice of your own");
    }

    /**
     * {@return a filter that accepts all bodies of some groups}
     *
     * @param groups the bits of the groups
     */
    public static QueryFilter groups(long groups) {
        return new QueryFilter(groups, ALL.predicate);
    }

    /**
     * {@return a filter of these groups with another predicate}
     *
     * @param accepted accepts or refuses a body
     */
    public QueryFilter only(Predicate accepted) {
        return new QueryFilter(groups, accepted);
    }
}
