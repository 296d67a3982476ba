package dev.escapement.state.internal;

import dev.escapement.state.thread.ThreadGrants;
import dev.escapement.state.thread.ThreadPolicy;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A thread policy that any thread requests and the thread of a loop applies to itself.
 *
 * @see ThreadPolicy
 */
public final class RequestedPolicy {

    // Volatile: request releases the policy to apply, and apply the grants to grants(). Else the loop could use a
    // policy before its fields, or never see the request.
    private volatile @Nullable ThreadPolicy requestedPolicy;
    private volatile ThreadGrants grants = ThreadGrants.none();

    // For the thread of the loop.
    private @Nullable ThreadPolicy appliedPolicy;
    private @Nullable Thread appliedThread;

    /** Creates an object without a request. */
    public RequestedPolicy() {}

    /**
     * Requests a policy. Any thread.
     *
     * @param policy the policy, which replaces the one before
     */
    public void request(ThreadPolicy policy) {
        requestedPolicy = Objects.requireNonNull(policy, "policy must not be null; without this call nothing is asked");
    }

    /**
     * Applies a new request to the calling thread, or the last one after a change of thread. Costs two reads otherwise.
     *
     * @return whether this call applied the policy
     */
    @SuppressWarnings("ReferenceEquality") // the same request
    public boolean apply() {
        ThreadPolicy policy = requestedPolicy;
        if (policy == null || (policy == appliedPolicy && appliedThread == Thread.currentThread())) {
            return false;
        }
        grants = ThreadGrants.by(policy, 0);
        appliedPolicy = policy;
        appliedThread = Thread.currentThread();
        return true;
    }

    /** {@return the grants of the thread of the loop, none before it applied a policy} Any thread. */
    public ThreadGrants grants() {
        return grants;
    }
}
