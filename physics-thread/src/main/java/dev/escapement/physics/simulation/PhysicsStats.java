package dev.escapement.physics.simulation;

import dev.escapement.state.thread.ThreadGrants;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Statistics of a run since its start: how late ticks started, how long they took, and counts that callers added.
 *
 * <pre>{@code
 * long p99Nanos = physics.stats().latenessNanos().percentile(99);
 * }</pre>
 *
 * <p>Any thread may read at any time, and waits for nothing. Recording is wait-free; it allocates some 200
 * bytes when a time is unlike those before.
 */
public interface PhysicsStats {

    /** {@return the lateness of ticks: from the due time to the start} */
    Distribution latenessNanos();

    /** {@return the times from the start of a tick to the end of its step, with devices, hooks and commands} */
    Distribution stepNanos();

    /**
     * {@return the times from the due time of a tick to the publish of its snapshot} The render clock lags behind simulated time by about
     * as much.
     */
    Distribution publishDelayNanos();

    /**
     * {@return the number of times that ticks were re-simulated, because input came late or an authority
     * had another state}
     */
    long rollbacks();

    /** {@return the number of ticks that were re-simulated, in all {@link #rollbacks()}} */
    long resimulatedTicks();

    /**
     * {@return the number of input events that came too late even to roll back, so that no tick got them} Levels that they changed, such as
     * held keys, stay changed. The first is logged, with the reason.
     */
    long droppedLateInputs();

    /**
     * {@return what the operating system granted of the policy of the physics thread;
     * nothing without a policy}
     */
    ThreadGrants threadGrants();

    /**
     * Adds the counts of another object, for example of the stream that carries this world: {@code stats.addCounts(stream::counts)}.
     *
     * @param counts returns counts by name; any thread may call it
     */
    void addCounts(Supplier<Map<String, Long>> counts);

    /** {@return the current values of all {@linkplain #addCounts added} counts, by name; values of the same name are summed} */
    Map<String, Long> counts();

    /**
     * {@return the present speed of simulated time, as a share of the requested speed: 1, or less while it is slowed down or ticks are
     * skipped} A skip counts for half a second to a second; so does the time that is skipped by a close within a long step.
     *
     * <p>See {@code TickingWorld.realTimeFactor}.
     */
    double speed();

    /** {@return a sentence for people that says why time runs slower now; empty if time is not slowed down} */
    String slowMotion();

    /**
     * {@return a sentence for people that names the window size that would hide the spread of the publish delays of the last 10 s;
     * empty if windows hide it}
     *
     * <p>See {@code PhysicsServiceBuilder.windowSize}.
     */
    String windowAdvice();
}
