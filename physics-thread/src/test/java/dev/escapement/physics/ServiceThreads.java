package dev.escapement.physics;

import java.util.List;
import java.util.Set;

/** Lists the threads of services that were started after the creation of this object. */
final class ServiceThreads {

    private final Set<Thread> before = Thread.getAllStackTraces().keySet();

    List<Thread> alive(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name) && !before.contains(thread))
                .toList();
    }

    Thread watchdog() {
        List<Thread> found = alive("escapement-watchdog");
        if (found.size() != 1) {
            throw new AssertionError("one watchdog was expected, but there are " + found);
        }
        return found.get(0);
    }
}
