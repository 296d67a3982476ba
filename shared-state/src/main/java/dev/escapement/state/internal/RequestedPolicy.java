package dev.escapement.state.internal;

import dev.escapement.state.thread.ThreadGrants;
import dev.escapement.state.thread.ThreadPolicy;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A policy that any thread requests, and that the thread of a loop applies to itself before its next round.
 *
 * @see ThreadPolicy
 */
public final class RequestedPolicy {

    // Volatile: the thread of the loop sees the request in its next round, and any thread sees the answer; nothing else
    // is ordered by them.
    private volatile @Nullable ThreadPolicy requested;
    private volatile ThreadGrants grants = ThreadGrants.none();

    // Used by the thread of the loop.
    private @Nullable ThreadPolicy applied;
    private @Nullable Thread appliedTo;

    /** Creates one that asks nothing. */
    public RequestedPolicy() {}

    /**
     * Requests a policy. Any thread.
     *
     * @param policy what to ask, replaces the one before
     */
    public void request(ThreadPolicy policy) {
        requested = Objects.requireNonNull(policy, "policy must not be null; without this call nothing is asked");
    }

    /**
     * Applies the policy to the calling thread, if it was not applied to it before. Costs two reads otherwise.
     *
     * @return whether it was applied now
     * @throws IllegalStateException if it is {@linkplain ThreadPolicy#require() required} and was not granted; again at the next call
     */
    @SuppressWarnings("ReferenceEquality") // asks whether it is the same request
    public boolean apply() {
        ThreadPolicy policy = requested;
        if (policy == null || (policy == applied && appliedTo == Thread.currentThread())) {
            return false;
        }
        grants = ThreadGrants.by(policy, 0);
        applied = policy;
        appliedTo = Thread.currentThread();
        return true;
    }

    /** {@return what the thread of the loop got; before, nothing} Any thread. */
    public ThreadGrants grants() {
        return grants;
    }
}
