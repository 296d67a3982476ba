package dev.escapement.state.thread;

import dev.escapement.state.time.Pacer.WakeupPreemption;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The answer of the operating system to a {@link ThreadPolicy}. Its {@link #toString} is one line.
 *
 * @param grants       each requested setting, in the order of requests
 * @param maxSpinNanos the longest useful spin before a deadline, with precise timers or a short time slice; {@link Long#MAX_VALUE} if no
 *                     grant limits it
 * @param preemption   for {@link dev.escapement.state.time.Pacer#adapt}, if the scheduler credits a thread the time that it queues for its
 *                     core; null otherwise
 * @param withdrawal   makes the thread an ordinary one again, so that a hanging thread yields its core; any thread may run it, repeatedly
 * @see ThreadPolicy
 */
public record ThreadGrants(
        List<Grant> grants, long maxSpinNanos, @Nullable WakeupPreemption preemption, Runnable withdrawal) {

    private static final ThreadGrants NONE = of(List.of());

    /** The outcome of a requested setting. */
    public enum Outcome {
        /** The setting is in effect. Where the system allows it, this was checked by reading the setting back. */
        GRANTED,
        /** The system knows the setting, but does not allow it. */
        REFUSED,
        /** The system, or its version, does not know the setting. */
        UNKNOWN
    }

    /**
     * A requested setting.
     *
     * @param setting its name and value: {@code timer slack 1 ns}
     * @param outcome whether it was granted
     * @param detail  for a refusal the reason and the command that grants it; else empty, or a remark
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
     * Creates grants that change no wait and have nothing to withdraw.
     *
     * @param grants the settings; the caller does not change the list later
     * @return the grants
     */
    public static ThreadGrants of(List<Grant> grants) {
        return new ThreadGrants(grants, Long.MAX_VALUE, null, () -> {});
    }

    /**
     * Applies a policy to the calling thread.
     *
     * @param policy      the policy
     * @param periodNanos the interval of the thread's deadlines; 0 if not known
     * @return the grants
     * @throws NullPointerException if the policy returns null; names its class
     */
    public static ThreadGrants by(ThreadPolicy policy, long periodNanos) {
        return Objects.requireNonNull(
                policy.apply(periodNanos),
                () -> "the thread policy " + policy.getClass().getName()
                        + " returned null; return what was granted, or ThreadGrants.none()");
    }

    /** {@return the grants of a thread without a policy} */
    public static ThreadGrants none() {
        return NONE;
    }

    /** {@return whether the system granted all requested settings} */
    public boolean allGranted() {
        return grants.stream().allMatch(grant -> grant.outcome() == Outcome.GRANTED);
    }

    /** {@return the granted settings, short: {@code timer slack 1 ns, time slice 100 us}; {@code nothing} without any} */
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
