package dev.escapement.state.thread;

import java.util.List;
import java.util.ServiceLoader;

/**
 * What a thread that must be on time asks of the operating system: priority, precise timers, a core. The system may refuse any of it; the
 * thread then runs as before, and {@link ThreadGrants} says what it did not get.
 *
 * <pre>{@code
 * PhysicsService physics = PhysicsService.builder(simulation)
 *         .threadPolicy(ThreadPolicy.realTime())
 *         .start();
 * System.out.println(physics.stats().threadGrants());
 * }</pre>
 *
 * <p>Each system has a module of its own (Linux: {@code escapement-platform-linux}), found by {@link ServiceLoader}; on the module path it
 * {@code provides} this. A policy is immutable.
 */
public interface ThreadPolicy {

    /**
     * Asks for the calling thread. Throws nothing if something is refused, unless it is {@link #require() required}.
     *
     * @param periodNanos how often the thread must be on time, for example the period of ticks; 0 if that is not known
     * @return what was granted
     */
    ThreadGrants apply(long periodNanos);

    /** {@return whether this is for the operating system that this JVM runs on} */
    default boolean fitsThisSystem() {
        return true;
    }

    /** {@return a policy that asks the same, and whose {@link #apply} throws an IllegalStateException unless all of it is granted} */
    default ThreadPolicy require() {
        return periodNanos -> {
            ThreadGrants grants = ThreadGrants.by(this, periodNanos);
            if (!grants.allGranted()) {
                throw new IllegalStateException(grants.toString());
            }
            return grants;
        };
    }

    /**
     * {@return what makes a thread be on time on this system, by the first module that fits it} Without one, the grants say which to add.
     */
    static ThreadPolicy realTime() {
        for (ThreadPolicy policy : ServiceLoader.load(ThreadPolicy.class, ThreadPolicy.class.getClassLoader())) {
            if (policy.fitsThisSystem()) {
                return policy;
            }
        }
        return periodNanos -> ThreadGrants.of(List.of(new ThreadGrants.Grant(
                "thread policy",
                ThreadGrants.Outcome.UNKNOWN,
                "no module for " + System.getProperty("os.name")
                        + " was found; on Linux add escapement-platform-linux to the class path")));
    }
}
