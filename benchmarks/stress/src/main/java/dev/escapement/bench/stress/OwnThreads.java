package dev.escapement.bench.stress;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/** All threads that the library and a stress run have started since this object was created. Each has to end. Any thread. */
final class OwnThreads {

    /** The maximum time for a thread to end. A thread needs a core to end, and may wait long for one on a busy machine. */
    static final long END_NANOS = 10_000_000_000L;

    private static final Pattern OURS = Pattern.compile("(escapement|storm|soak)-.*");

    private final Set<Thread> before = Set.copyOf(all());

    /** Returns all threads without stacks: to read stacks would stop all threads. */
    private static List<Thread> all() {
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null) {
            root = root.getParent();
        }
        Thread[] threads = new Thread[2 * root.activeCount() + 64];
        return Arrays.asList(threads).subList(0, root.enumerate(threads));
    }

    /** Returns the running threads of the library and of the storm. */
    List<Thread> now() {
        return all().stream()
                .filter(thread -> OURS.matcher(thread.getName()).matches() && !before.contains(thread))
                .toList();
    }

    /** Returns the threads that do not end within {@link #END_NANOS}. */
    List<Thread> left() {
        Polling.await(END_NANOS, () -> now().isEmpty());
        return now();
    }
}
