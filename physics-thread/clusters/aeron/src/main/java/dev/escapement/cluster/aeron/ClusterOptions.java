package dev.escapement.cluster.aeron;

import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * What one node may have otherwise than its peers.
 *
 * <pre>{@code
 * ClusterOptions options = ClusterOptions.DEFAULT.withListener(listener).requiringWorld();
 * ClusteredPhysics.start(PhysicsService.builder(simulation), node, options);
 * }</pre>
 *
 * @param listener           is told who leads, of the quorum and of lag
 * @param answerTimeoutNanos after how long without an answer the future of a command fails with a
 *                           {@link java.util.concurrent.TimeoutException}, in nanoseconds
 * @param requiresWorld      whether a node is refused that has no world in its folder and finds no cluster that has one
 */
public record ClusterOptions(ClusterListener listener, long answerTimeoutNanos, boolean requiresWorld) {

    /** No listener, 30 s, and a new world is begun where there is none. */
    public static final ClusterOptions DEFAULT =
            new ClusterOptions(new ClusterListener() {}, TimeUnit.SECONDS.toNanos(30), false);

    /**
     * Checks them.
     *
     * @param listener           is told who leads, of the quorum and of lag
     * @param answerTimeoutNanos after how long without an answer the future of a command fails, in nanoseconds
     * @param requiresWorld      whether a node is refused that would begin a new world
     * @throws IllegalArgumentException if the timeout is not positive
     */
    public ClusterOptions {
        Objects.requireNonNull(listener, "listener must not be null; ClusterOptions.DEFAULT has one that does nothing");
        requireTimeout(answerTimeoutNanos);
    }

    static long requireTimeout(long answerTimeoutNanos) {
        if (answerTimeoutNanos < 1) {
            throw new IllegalArgumentException("the timeout of answers must be positive, but is " + answerTimeoutNanos
                    + " ns; the default is 30 s");
        }
        return answerTimeoutNanos;
    }

    /**
     * The same with another listener.
     *
     * @param other is told who leads, of the quorum and of lag
     * @return other options
     */
    public ClusterOptions withListener(ClusterListener other) {
        return new ClusterOptions(other, answerTimeoutNanos, requiresWorld);
    }

    /**
     * The same with another timeout. What has timed out may have run, or may run later.
     *
     * @param nanos positive; longer than an election takes, or commands fail in each
     * @return other options
     * @throws IllegalArgumentException if it is not positive
     */
    public ClusterOptions withAnswerTimeout(long nanos) {
        return new ClusterOptions(listener, nanos, requiresWorld);
    }

    /**
     * The same for a node of a world that exists: it never begins another one, if its disk is not there for example.
     *
     * @return other options
     */
    public ClusterOptions requiringWorld() {
        return new ClusterOptions(listener, answerTimeoutNanos, true);
    }
}
