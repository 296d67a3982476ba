package dev.escapement.physics.schedule;

import dev.escapement.state.time.TimeScale;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The account of a run's time: the clock's time without pauses is simulated, slowed or skipped.
 *
 * <pre>
 *   elapsed = simulated / requested speed + slowed + skipped + paused
 *   factor  = simulated / (simulated + lost)      lost = (slowed + skipped) * requested speed of each moment
 * </pre>
 *
 * <p>The physics thread writes. Any thread may call the public methods.
 */
public final class TimeAccount {

    /** The length of the intervals of {@link #recentFactor}: a skip lowers the factor for one to two intervals. */
    private static final long RECENT_NANOS = 500_000_000;

    // Opaque: the physics thread alone writes them, no reader sees half of a number; nothing else is ordered by them.
    private final AtomicLong skippedTicks = new AtomicLong();
    private final AtomicLong skippedNanos = new AtomicLong();
    private final AtomicLong slowedNanos = new AtomicLong();
    private final AtomicLong simulatedNanos = new AtomicLong();

    /** Simulated time that slow motion and skips have cost. */
    private final AtomicLong lostNanos = new AtomicLong();

    // The counts at the start of two intervals of RECENT_NANOS: the current one, and the one before it (recent).
    private long intervalNanos;
    private long intervalSimulatedNanos;
    private long intervalSkippedNanos;
    private long recentSimulatedNanos;
    private long recentSkippedNanos;

    void start(long nowNanos) {
        intervalNanos = nowNanos;
    }

    void simulate(long nanos) {
        add(simulatedNanos, nanos);
    }

    /** Adds time of the clock by which slow motion has prolonged a tick. */
    void slow(long nanos, TimeScale requested) {
        addLost(slowedNanos, nanos, requested);
    }

    /** Adds time of the clock that was skipped, and the deadlines in it. */
    void skip(long ticks, long nanos, TimeScale requested) {
        add(skippedTicks, ticks);
        addLost(skippedNanos, nanos, requested);
    }

    private void addLost(AtomicLong clockNanos, long nanos, TimeScale requested) {
        add(clockNanos, nanos);
        add(lostNanos, (long) requestedNanos(nanos, requested));
    }

    private static double requestedNanos(long nanos, TimeScale requested) {
        return (double) nanos * requested.numerator() / requested.denominator();
    }

    private static void add(AtomicLong counter, long more) {
        counter.setOpaque(counter.getPlain() + more);
    }

    /** Begins another interval if the current one has ended. Called after each tick. */
    void tickEnded(long nowNanos) {
        if (nowNanos - intervalNanos >= RECENT_NANOS) {
            recentSimulatedNanos = intervalSimulatedNanos;
            recentSkippedNanos = intervalSkippedNanos;
            intervalNanos = nowNanos;
            intervalSimulatedNanos = simulatedNanos.getPlain();
            intervalSkippedNanos = skippedNanos.getPlain();
        }
    }

    /**
     * The recent speed as a share of the requested one: the present speed, lowered by the skips of the last half second or more.
     *
     * @param share the present speed, a share of the requested one
     */
    double recentFactor(double share, TimeScale requested) {
        double simulated = Math.max(1, simulatedNanos.getPlain() - recentSimulatedNanos);
        long skipped = skippedNanos.getPlain() - recentSkippedNanos;
        return 1 / (1 / share + requestedNanos(skipped, requested) / simulated);
    }

    public long skippedTicks() {
        return skippedTicks.getOpaque();
    }

    public long skippedNanos() {
        return skippedNanos.getOpaque();
    }

    public long slowedNanos() {
        return slowedNanos.getOpaque();
    }

    /** Simulated over requested time: the clock's time without pauses, times the requested speed. */
    public double realTimeFactor() {
        double simulated = simulatedNanos.getOpaque();
        long lost = lostNanos.getOpaque();
        return lost == 0 ? 1 : simulated / (simulated + lost);
    }
}
