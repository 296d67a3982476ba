package dev.escapement.bench.stress;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** All threads of the library and of a stress run that started after this object was created. Each must end. Any thread. */
final class OwnThreads {

    /** How long to wait for threads to end. On a busy machine, a thread may wait long for the core that it needs to end. */
    static final long END_NANOS = 10_000_000_000L;

    private static final Pattern OURS = Pattern.compile("(escapement|storm|soak)-.*");

    private final Set<Thread> before = Set.copyOf(all());

    /** Returns all live threads. Unlike {@code Thread.getAllStackTraces}, this stops no thread. */
    private static List<Thread> all() {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null) {
            root = root.getParent();
        }
        Thread[] threads = new Thread[2 * root.activeCount() + 64];
        return Arrays.asList(threads).subList(0, root.enumerate(threads));
    }

    List<Thread> now() {
        return all().stream()
                .filter(thread -> OURS.matcher(thread.getName()).matches() && !before.contains(thread))
                .toList();
    }

    /** Waits for the threads to end, and returns those that have not ended within {@link #END_NANOS}. */
    List<Thread> left() {
        Polling.await(END_NANOS, () -> now().isEmpty());
        return now();
    }
}
