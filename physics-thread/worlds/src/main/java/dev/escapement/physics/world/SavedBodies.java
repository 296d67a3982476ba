package dev.escapement.physics.world;

import dev.escapement.physics.restore.RestoreRefusedException;
import dev.escapement.physics.restore.StateBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The attached bodies in a saved state: their order, their ids, and the last id of each slot. When the state is restored, the game removes
 * the bodies that have come since the save, and puts back the bodies that have gone.
 *
 * <p>One thread at a time.
 */
record SavedBodies<B>(
        EngineCalls<B> engine,
        ToLongFunction<B> engineIds,
        @Nullable BodyRestorer<B> restorer) {

    private record Saved(long engineId, long userData, long id) {}

    void save(StateBuffer to) {
        ShownBodies<B> bodies = engine.bodies;
        to.put((long) bodies.size());
        for (int i = 0; i < bodies.size(); i++) {
            ShownBody<B> body = bodies.get(i);
            to.put(engineIds.applyAsLong(body.body)).put(body.userData).put(body.id());
        }
        to.put((long) bodies.coming.size());
        bodies.coming.forEach(body -> to.put((long) body.index));
        int slots = bodies.slotsEver();
        to.put((long) slots);
        for (int slot = 0; slot < slots; slot++) {
            to.put(bodies.lastId(slot));
        }
    }

    /** Restores the bodies. If the same bodies are attached, calls {@code check} before any change. */
    void restore(StateBuffer from, Runnable check) {
        Map<Long, Saved> then = new LinkedHashMap<>();
        for (long left = from.getLong(); left > 0; left--) {
            Saved body = new Saved(from.getLong(), from.getLong(), from.getLong());
            then.put(body.engineId, body);
        }
        Map<Long, B> bodies = attachedNow();
        if (bodies.keySet().equals(then.keySet())) {
            check.run();
        }
        if (!List.copyOf(bodies.keySet()).equals(List.copyOf(then.keySet()))) {
            exchange(bodies, then);
        }
        List<ShownBody<B>> restored = new ArrayList<>();
        for (Saved body : then.values()) {
            restored.add(
                    new ShownBody<>(Objects.requireNonNull(bodies.get(body.engineId)), body.userData, body.id, true));
        }
        Set<ShownBody<B>> coming = new LinkedHashSet<>();
        for (long left = from.getLong(); left > 0; left--) {
            coming.add(restored.get(Math.toIntExact(from.getLong())));
        }
        // Allocates no array of the saved length in advance, because in a damaged state the length could be any number.
        // Reading beyond the end of the state throws.
        long[] lastIds =
                LongStream.generate(from::getLong).limit(from.getLong()).toArray();
        engine.bodies.replace(restored, coming, lastIds);
    }

    private Map<Long, B> attachedNow() {
        Map<Long, B> now = new LinkedHashMap<>();
        for (int i = 0; i < engine.bodies.size(); i++) {
            B body = engine.attached(i);
            now.put(engineIds.applyAsLong(body), body);
        }
        return now;
    }

    /**
     * Removes the bodies that came since the save, puts back those that are gone, and then notes all as attached, in the order of the saved
     * state.
     */
    private void exchange(Map<Long, B> bodies, Map<Long, Saved> then) {
        Set<Long> came = new TreeSet<>(bodies.keySet());
        came.removeAll(then.keySet());
        Set<Long> gone = new TreeSet<>(then.keySet());
        gone.removeAll(bodies.keySet());
        if (restorer == null && !(came.isEmpty() && gone.isEmpty())) {
            throw new RestoreRefusedException(
                    "Refused, and nothing was changed: since the state was saved, " + came.size()
                            + " bodies were attached and " + gone.size()
                            + " detached. If that may be, call restoreBodiesWith(...)");
        }
        bodies.values().forEach(engine::bodyDetached);
        try {
            for (long engineId : came) {
                B body = Objects.requireNonNull(bodies.remove(engineId));
                Objects.requireNonNull(restorer).remove(body, engine.bodies.require(body).userData);
            }
            for (Saved body : then.values()) {
                engine.bodyAttached(bodies.computeIfAbsent(body.engineId, absent -> putBack(body)));
            }
        } catch (RestoreRefusedException late) {
            throw EngineCalls.tooLate(late);
        }
    }

    private B putBack(Saved body) {
        B again = Objects.requireNonNull(restorer).restore(body.engineId, body.userData);
        if (!engine.isInWorld(again) || engineIds.applyAsLong(again) != body.engineId) {
            throw new IllegalStateException("the body with user data " + body.userData + " was put back "
                    + (engine.isInWorld(again) ? "as " + engineIds.applyAsLong(again) : "outside of the world")
                    + ", but was " + body.engineId + " by the engine's ids, and has to be that again");
        }
        return again;
    }
}
