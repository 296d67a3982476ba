package dev.escapement.physics.contact;

import java.lang.ref.WeakReference;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The keys of objects that readers do not see. An object keeps its key until it is garbage-collected. One thread; allocates only when an
 * object gets its key.
 */
final class ObjectKeys {

    private static final int FEW = 64;

    private final Map<Object, Long> keys = new WeakHashMap<>();
    private final Map<Long, WeakReference<Object>> objects = new HashMap<>(); // by key
    private long lastKey;

    /** Returns the key of an object, 1 or more. The first call for the object gives it the next one. Equal objects have the same key. */
    long keyOf(Object object) {
        Long known = keys.get(object);
        if (known != null) {
            return known;
        }
        keys.put(object, ++lastKey);
        objects.put(lastKey, new WeakReference<>(object));
        if (objects.size() > 2 * keys.size() + FEW) {
            objects.values().removeIf(gone -> gone.refersTo(null));
        }
        return lastKey;
    }

    /** Returns the object of a key; null if it is gone. */
    @Nullable
    Object objectOf(long key) {
        WeakReference<Object> object = objects.get(key);
        return object == null ? null : object.get();
    }
}
