package dev.escapement.bench.stress.child;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.List;

/**
 * What a JVM says of itself.
 *
 * @param collectors the names of its garbage collectors
 * @param processors how many it may use
 */
public record JvmFacts(List<String> collectors, int processors) {

    /** What the running JVM says. */
    public static JvmFacts ofThisJvm() {
        return new JvmFacts(
                ManagementFactory.getGarbageCollectorMXBeans().stream()
                        .map(GarbageCollectorMXBean::getName)
                        .toList(),
                Runtime.getRuntime().availableProcessors());
    }
}
