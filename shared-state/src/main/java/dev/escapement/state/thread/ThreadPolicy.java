package dev.escapement.state.thread;

import java.util.List;
import java.util.ServiceLoader;

/**
 * Requests priority, precise timers or a core for a thread with deadlines. The operating system may refuse any of it; the thread then runs
 * as before, and {@link ThreadGrants} names the refusals.
 *
 * <pre>{@code
 * PhysicsService physics = PhysicsService.builder(simulation)
 *         .threadPolicy(ThreadPolicy.realTime())
 *         .start();
 * System.out.println(physics.stats().threadGrants());
 * }</pre>
 *
 * <p>{@link ServiceLoader} finds the module of each system (Linux: {@code escapement-platform-linux}); on the module path it
 * {@code provides} this interface. A policy is immutable.
 */
public interface ThreadPolicy {

    /**
     * Requests the settings for the calling thread. Throws nothing after a refusal.
     *
     * @param periodNanos the interval of the thread's deadlines, for example the period of ticks; 0 if not known
     * @return the grants
     */
    ThreadGrants apply(long periodNanos);

    /** {@return whether this policy is for the operating system of this JVM} */
    default boolean fitsThisSystem() {
        return true;
    }

    /**
     * {@return the policy of the first module that fits this system} Without a module, the grants say which to add.
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
