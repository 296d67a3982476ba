package dev.escapement.physics.world;

import dev.escapement.state.event.BodyEvent;
import java.util.HashMap;
import java.util.Map;

/**
 * Remembers the index of each shape among those of its body, so that a contact costs no search. An index counts only if the body still has
 * the shape there: engines do not say that shapes come and go.
 *
 * <p>Physics thread only. Allocates when a shape touches for the first time, or has got another index, and in one step after many have.
 *
 * @param <B> the engine's bodies
 */
final class ShapeIndices<B> {

    private static final int FEW = 64;

    private final EngineCalls<B> engine;
    private Map<Object, Integer> known = new HashMap<>();

    /** The map before this one. Shapes that are gone stay here, so that both maps never grow for ever. */
    private Map<Object, Integer> before = Map.of();

    /** The size at which a new map begins: more than twice what a step or a body has, or each step would search all again. */
    private int limit = FEW;

    private boolean isNew;

    ShapeIndices(EngineCalls<B> engine) {
        this.engine = engine;
    }

    /** Begins a step. Maps change only here, so that the new map has what one whole step uses. */
    void beginStep() {
        if (isNew) {
            isNew = false;
            limit = FEW + 2 * known.size();
        } else if (known.size() > limit) {
            isNew = true;
            before = known;
            known = new HashMap<>();
        }
    }

    int of(B body, Object shape) {
        Integer index = known.get(shape);
        if (index == null) {
            index = before.get(shape);
            if (index != null) {
                known.put(shape, index);
            }
        }
        if (index != null && index < engine.shapeCount(body) && shape.equals(engine.shapeAt(body, index))) {
            return index;
        }
        return find(body, shape);
    }

    /** Searches from the end, where new shapes are, and notes all indices down to one that is known, or all if the body is new. */
    private int find(B body, Object shape) {
        int count = engine.shapeCount(body);
        limit = Math.max(limit, FEW + 2 * count);
        int found = BodyEvent.NO_SHAPE;
        boolean hasMore = true;
        for (int i = count - 1; i >= 0 && (found == BodyEvent.NO_SHAPE || hasMore); i--) {
            Object at = engine.shapeAt(body, i);
            Integer last = known.put(at, i);
            hasMore = last == null || last != i;
            found = at.equals(shape) ? i : found;
            engine.searched(1);
        }
        return found;
    }
}
