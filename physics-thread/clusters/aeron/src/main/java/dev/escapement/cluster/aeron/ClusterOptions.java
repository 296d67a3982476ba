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
 * <p>Immutable; any thread may use it.
 */
public final class ClusterOptions {

    /** No listener, 30 s until a command has no answer, and a new world is begun where there is none. */
    public static final ClusterOptions DEFAULT =
            new ClusterOptions(new ClusterListener() {}, TimeUnit.SECONDS.toNanos(30), false);

    final ClusterListener listener;
    final long answerTimeoutNanos;
    final boolean requiresWorld;

    private ClusterOptions(ClusterListener listener, long answerTimeoutNanos, boolean requiresWorld) {
        this.listener = Objects.requireNonNull(
                listener, "listener must not be null; ClusterOptions.DEFAULT has one that does nothing");
        this.answerTimeoutNanos = requireTimeout(answerTimeoutNanos);
        this.requiresWorld = requiresWorld;
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
     * @param other is told who leads, of the quorum and of lag, on this node
     * @return other options
     */
    public ClusterOptions withListener(ClusterListener other) {
        return new ClusterOptions(other, answerTimeoutNanos, requiresWorld);
    }

    /**
     * The same with another time after which the future of a command without an answer fails with a
     * {@link java.util.concurrent.TimeoutException}. What has timed out may have run, or may run later.
     *
     * @param nanos in nanoseconds, positive; longer than an election takes, or commands fail in each
     * @return other options
     * @throws IllegalArgumentException if it is not positive
     */
    public ClusterOptions withAnswerTimeout(long nanos) {
        return new ClusterOptions(listener, nanos, requiresWorld);
    }

    /**
     * The same for a node of a world that exists: it is refused if it has no world in its folder, because its disk is not there for example, and
     * finds no cluster that has one.
     *
     * @return other options
     */
    public ClusterOptions requiringWorld() {
        return new ClusterOptions(listener, answerTimeoutNanos, true);
    }
}
