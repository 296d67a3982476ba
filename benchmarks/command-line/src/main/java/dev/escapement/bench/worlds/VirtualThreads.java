package dev.escapement.bench.worlds;

import java.lang.reflect.InvocationTargetException;
import java.util.Objects;

/** Virtual threads, which JDKs have since 21; this program is compiled for 17. */
final class VirtualThreads {

    static final int FIRST_JDK = 21;
    static final boolean ARE_THERE = Runtime.version().feature() >= FIRST_JDK;

    private VirtualThreads() {}

    /** Starts one. Throws an {@link UnsupportedOperationException} if this JDK has none. */
    static Thread start(Runnable work) {
        try {
            return (Thread) Objects.requireNonNull(
                    Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, work));
        } catch (NoSuchMethodException | IllegalAccessException | InvocationTargetException e) {
            throw new UnsupportedOperationException("this JDK has no virtual threads; take " + FIRST_JDK, e);
        }
    }
}
