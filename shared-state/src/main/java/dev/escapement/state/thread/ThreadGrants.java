package dev.escapement.state.thread;

import dev.escapement.state.time.Pacer.WakeupPreemption;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a thread got of a {@link ThreadPolicy}. Its text is one line.
 *
 * @param grants          each setting that was asked for, in the order of asking
 * @param maxSpinNanos    how long the thread should spin before a deadline at most, because its timers are precise or its time slice is
 *                        short; {@link Long#MAX_VALUE} if nothing was granted that says so
 * @param preemption      for the waits of the thread, if the scheduler credits it the time that it queues for its core
 * @param withdrawal      makes the thread an ordinary one again, so that one that hangs with real-time priority gives way; any thread runs
 *                        it, more than once
 * @see ThreadPolicy
 */
public record ThreadGrants(
        List<Grant> grants, long maxSpinNanos, @Nullable WakeupPreemption preemption, Runnable withdrawal) {

    private static final ThreadGrants NONE = of(List.of());

    /** Whether a setting was granted. */
    public enum Outcome {
        /** It is in effect: it was read back where the system allows that. */
        GRANTED,
        /** The system knows it and did not allow it. */
        REFUSED,
        /** This system or version has no such setting. */
        UNKNOWN
    }

    /**
     * One setting that was asked for.
     *
     * @param setting what, with its value: {@code timer slack 1 ns}
     * @param outcome whether it was granted
     * @param detail  if it was not: why, and the command that grants it; else empty, or what to know about it
     */
    public record Grant(String setting, Outcome outcome, String detail) {

        @Override
        public String toString() {
            String text = setting
                    + switch (outcome) {
                        case GRANTED -> " granted";
                        case REFUSED -> " refused";
                        case UNKNOWN -> " not known here";
                    };
            return detail.isEmpty() ? text : text + " (" + detail + ")";
        }
    }

    /**
     * Grants that change no wait and have nothing to withdraw.
     *
     * @param grants the settings, not changed later
     * @return the grants
     */
    public static ThreadGrants of(List<Grant> grants) {
        return new ThreadGrants(grants, Long.MAX_VALUE, null, () -> {});
    }

    /**
     * Applies a policy to the calling thread.
     *
     * @param policy      what to ask
     * @param periodNanos how often the thread must be on time; 0 if that is not known
     * @return what was granted
     * @throws NullPointerException if the policy returns null; names its class
     */
    public static ThreadGrants by(ThreadPolicy policy, long periodNanos) {
        return Objects.requireNonNull(
                policy.apply(periodNanos),
                () -> "the thread policy " + policy.getClass().getName()
                        + " returned null; return what was granted, or ThreadGrants.none()");
    }

    /** {@return the grants of a thread that asked nothing} */
    public static ThreadGrants none() {
        return NONE;
    }

    /** {@return whether all that was asked for was granted} */
    public boolean allGranted() {
        return grants.stream().allMatch(grant -> grant.outcome() == Outcome.GRANTED);
    }

    /** {@return the settings that were granted, short: {@code timer slack 1 ns, time slice 100 us}; {@code nothing} without any} */
    public String granted() {
        String settings = grants.stream()
                .filter(grant -> grant.outcome() == Outcome.GRANTED)
                .map(Grant::setting)
                .collect(Collectors.joining(", "));
        return settings.isEmpty() ? "nothing" : settings;
    }

    @Override
    public String toString() {
        return grants.isEmpty()
                ? "nothing was asked of the operating system"
                : grants.stream().map(Grant::toString).collect(Collectors.joining(", "));
    }
}
