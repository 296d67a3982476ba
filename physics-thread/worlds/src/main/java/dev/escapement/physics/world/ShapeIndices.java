package dev.escapement.physics.world;

import dev.escapement.state.event.BodyEvent;
import java.util.HashMap;
import java.util.Map;

/**
 * Remembers the index of each shape among those of its body, so that a contact costs no search. An index counts only if the body still has
 * the shape there: engines do not say that shapes come and go.
 *
 * <p>Physics thread only. Allocates when a shape touches for the first time, or has got another index.
 *
 * @param <B> the engine's bodies
 */
final class ShapeIndices<B> {

    private record Place<B>(B body, int index) {}

    private static final int FEW = 1024;

    private final EngineCalls<B> engine;
    private final Map<Object, Place<B>> places = new HashMap<>();
    private int sizeToSweep = FEW;

    ShapeIndices(EngineCalls<B> engine) {
        this.engine = engine;
    }

    int of(B body, Object shape) {
        Place<B> known = places.get(shape);
        return known != null && isAt(known, body, shape) ? known.index : find(body, shape);
    }

    private boolean isAt(Place<B> place, B body, Object shape) {
        return place.body.equals(body)
                && place.index < engine.shapeCount(body)
                && shape.equals(engine.shapeAt(body, place.index));
    }

    /** Searches from the end, where new shapes are, and notes all indices down to one that is known, or all if the body is new. */
    private int find(B body, Object shape) {
        int found = BodyEvent.NO_SHAPE;
        boolean isNew = true;
        for (int i = engine.shapeCount(body) - 1; i >= 0 && (found == BodyEvent.NO_SHAPE || isNew); i--) {
            Object at = engine.shapeAt(body, i);
            engine.searched(1);
            Place<B> before = places.put(at, new Place<>(body, i));
            isNew = before == null || before.index != i;
            found = at.equals(shape) ? i : found;
        }
        return found;
    }

    /** Forgets shapes that are gone, once there are many: then the map is at most three times too large. */
    void sweep() {
        if (places.size() > sizeToSweep) {
            places.entrySet()
                    .removeIf(entry -> !engine.isInWorld(entry.getValue().body)
                            || !isAt(entry.getValue(), entry.getValue().body, entry.getKey()));
            sizeToSweep = FEW + 2 * places.size();
        }
    }
}
