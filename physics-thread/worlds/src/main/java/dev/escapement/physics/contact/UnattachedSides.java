package dev.escapement.physics.contact;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The keys of engine objects in Java that readers do not see, such as a floor: 1, 2 and so on. An object that nothing touches any more may
 * lose its key, so that it can be collected.
 *
 * <p>One thread.
 */
final class UnattachedSides {

    private static final int LEAST = 64;

    private final IdentityHashMap<Object, Long> keys = new IdentityHashMap<>();

    /** By key minus one; null where a key is free. */
    private final List<@Nullable Object> objects = new ArrayList<>();

    private int most = LEAST;

    long keyOf(Object object) {
        Long known = keys.get(object);
        if (known != null) {
            return known;
        }
        int index = keys.size() < objects.size() ? objects.indexOf(null) : objects.size();
        if (index == objects.size()) {
            objects.add(object);
        } else {
            objects.set(index, object);
        }
        keys.put(object, index + 1L);
        return index + 1L;
    }

    Object objectOf(long key) {
        return Objects.requireNonNull(objects.get((int) key - 1), "an object that is touched has a key");
    }

    /** Whether it is time to {@link #keep}. */
    boolean isFull() {
        return keys.size() > most;
    }

    /** Forgets all other objects. */
    void keep(Set<Long> touched) {
        keys.values().removeIf(key -> !touched.contains(key));
        for (int i = 0; i < objects.size(); i++) {
            if (!touched.contains(i + 1L)) {
                objects.set(i, null);
            }
        }
        most = Math.max(LEAST, 2 * keys.size());
    }
}
