package dev.escapement.cluster.aeron;

import dev.escapement.state.thread.ThreadPolicy;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Options of one node, which may differ from those of its peers.
 *
 * <pre>{@code
 * ClusterOptions options = ClusterOptions.DEFAULT.withListener(listener).requiringWorld();
 * ClusteredPhysics.start(PhysicsService.builder(simulation), node, options);
 * }</pre>
 *
 * <p>Immutable; any thread may use it.
 */
public final class ClusterOptions {

    /** No listener; commands fail after 30 s without an answer; a node that finds no world begins a new one. */
    public static final ClusterOptions DEFAULT =
            new ClusterOptions(new ClusterListener() {}, TimeUnit.SECONDS.toNanos(30), false, null);

    final ClusterListener listener;
    final long answerTimeoutNanos;
    final boolean requiresWorld;
    final @Nullable ThreadPolicy threadPolicy;

    private ClusterOptions(
            ClusterListener listener,
            long answerTimeoutNanos,
            boolean requiresWorld,
            @Nullable ThreadPolicy threadPolicy) {
        this.listener = Objects.requireNonNull(
                listener, "listener must not be null; ClusterOptions.DEFAULT has one that does nothing");
        this.answerTimeoutNanos = requireTimeout(answerTimeoutNanos);
        this.requiresWorld = requiresWorld;
        this.threadPolicy = threadPolicy;
    }

    static long requireTimeout(long answerTimeoutNanos) {
        if (answerTimeoutNanos < 1) {
            throw new IllegalArgumentException("the timeout of answers must be positive, but is " + answerTimeoutNanos
                    + " ns; the default is 30 s");
        }
        return answerTimeoutNanos;
    }

    /**
     * {@return the same options with another listener}
     *
     * @param other is notified of leadership, quorum and lag of this node
     */
    public ClusterOptions withListener(ClusterListener other) {
        return new ClusterOptions(other, answerTimeoutNanos, requiresWorld, threadPolicy);
    }

    /**
     * {@return the same options with another time after which the future of a command without an answer fails with a {@link
     * java.util.concurrent.TimeoutException}} The command may have run, or may run later.
     *
     * @param nanos in nanoseconds, positive; longer than an election takes, or commands fail in each
     * @throws IllegalArgumentException if it is not positive
     */
    public ClusterOptions withAnswerTimeout(long nanos) {
        return new ClusterOptions(listener, nanos, requiresWorld, threadPolicy);
    }

    /**
     * {@return the same options for a node of an existing world} It does not start if its folder has no world, for example because its disk is
     * not mounted, and no other node leads a cluster that has one.
     */
    public ClusterOptions requiringWorld() {
        return new ClusterOptions(listener, answerTimeoutNanos, true, threadPolicy);
    }

    /**
     * {@return the same options for a node whose thread asks the operating system to be on time: the one that stores and orders inputs} What it
     * got is logged. If the policy is {@linkplain ThreadPolicy#require() required} and not granted, the node does not start. For the physics
     * thread, see {@link dev.escapement.physics.PhysicsServiceBuilder#threadPolicy}.
     *
     * @param policy what to ask
     */
    public ClusterOptions withThreadPolicy(ThreadPolicy policy) {
        Objects.requireNonNull(policy, "policy must not be null; without this call nothing is asked");
        return new ClusterOptions(listener, answerTimeoutNanos, requiresWorld, policy);
    }
}
