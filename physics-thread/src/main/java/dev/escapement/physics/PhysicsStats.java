package dev.escapement.physics;

import dev.escapement.state.thread.ThreadGrants;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/**
 * Statistics of a run since its start: how late ticks started, how long they took, and counts that others added.
 *
 * <pre>{@code
 * long p99Nanos = physics.stats().latenessNanos().percentile(99);
 * }</pre>
 *
 * <p>Any thread may read at any time, and waits for nothing. Recording is wait-free; it allocates some 200
 * bytes when a time is unlike those before.
 */
public final class PhysicsStats {

    private static final double SPEED_UNITS = 1e6;

    private final Distribution lateness = new Distribution();
    private final Distribution step = new Distribution();
    private final Distribution publishDelay = new Distribution();

    // Written by the physics thread alone; atomic so that any thread may read it, nothing else is ordered by it.
    private final AtomicLong overruns = new AtomicLong();
    private final AtomicLong rollbacks = new AtomicLong();
    private final AtomicLong ticksRunAgain = new AtomicLong();
    private final AtomicLong droppedLateInputs = new AtomicLong();

    /**
     * One number, so that its parts fit: the share of the speed asked for in the upper half, the microseconds of a step in the lower, with
     * the sign bit of an int where the speed asked for is not real time.
     */
    private final AtomicLong slowMotion = new AtomicLong();

    // Volatile: written once by the physics thread, read by any; nothing else is ordered by it.
    private volatile ThreadGrants threadGrants = ThreadGrants.none();

    private final List<Supplier<Map<String, Long>>> added = new CopyOnWriteArrayList<>();

    PhysicsStats() {}

    /** {@return how late ticks started after they were due} */
    public Distribution latenessNanos() {
        return lateness;
    }

    /** {@return how long the simulation took, with the commands before its step} */
    public Distribution stepNanos() {
        return step;
    }

    /** {@return how long after a tick was due its snapshot was published} The render clock is behind by about as much. */
    public Distribution publishDelayNanos() {
        return publishDelay;
    }

    /** {@return how many ticks were not published before the next one was due} */
    public long overruns() {
        return overruns.getOpaque();
    }

    /** {@return how often ticks were {@linkplain TickAccess#resimulate re-simulated}, because input came late or a state was another one} */
    public long rollbacks() {
        return rollbacks.getOpaque();
    }

    /** {@return how many ticks were re-simulated, in all {@link #rollbacks()}} */
    public long ticksRunAgain() {
        return ticksRunAgain.getOpaque();
    }

    /**
     * {@return how many input events came too late even to roll back, so that no tick got them} Their changes of levels were kept. The first
     * is logged, with the reason.
     */
    public long droppedLateInputs() {
        return droppedLateInputs.getOpaque();
    }

    /** Physics thread. */
    void ranAgain(long ticks) {
        rollbacks.setOpaque(rollbacks.getPlain() + 1);
        ticksRunAgain.setOpaque(ticksRunAgain.getPlain() + ticks);
    }

    /** Physics thread. Returns how many were dropped by now. */
    long droppedLateInput() {
        long dropped = droppedLateInputs.getPlain() + 1;
        droppedLateInputs.setOpaque(dropped);
        return dropped;
    }

    /** {@return what the physics thread got of its {@linkplain PhysicsServiceBuilder#threadPolicy policy}; without one, nothing} */
    public ThreadGrants threadGrants() {
        return threadGrants;
    }

    /** Physics thread, before the first tick. */
    void granted(ThreadGrants grants) {
        threadGrants = grants;
    }

    /**
     * Adds what something else counts, for example the stream that carries this world: {@code stats.addCounts(stream::counts)}.
     *
     * @param counts returns counts by name; any thread may call it
     */
    public void addCounts(Supplier<Map<String, Long>> counts) {
        added.add(Objects.requireNonNull(counts, "counts must not be null"));
    }

    /** {@return the current values of what was {@linkplain #addCounts added}, by name, summed where several have one name} */
    public Map<String, Long> counts() {
        Map<String, Long> all = new LinkedHashMap<>();
        added.forEach(counts -> counts.get().forEach((name, count) -> all.merge(name, count, Long::sum)));
        return all;
    }

    /**
     * {@return how fast simulated time runs now, as a share of the speed asked for: 1, or less while it is slowed down or ticks are
     * skipped} A skip counts for half a second to a second, and so does what a close within a long step skips.
     *
     * @see TickingWorld#realTimeFactor()
     */
    public double speed() {
        long now = slowMotion.getOpaque();
        return now == 0 ? 1 : (now >>> Integer.SIZE) / SPEED_UNITS;
    }

    /** {@return why time runs slower now, a sentence for people; empty if it does not} */
    public String slowMotion() {
        long now = slowMotion.getOpaque();
        return now == 0
                ? ""
                : slowMotion(
                        (now >>> Integer.SIZE) / SPEED_UNITS,
                        (int) now < 0 ? "the speed asked for" : "real time",
                        ((int) now & Integer.MAX_VALUE) / 1e3);
    }

    /**
     * {@return the sentence that says so of any run}
     *
     * @param speed       simulated over real time
     * @param stepMillis how long steps take
     */
    public static String slowMotion(double speed, double stepMillis) {
        return slowMotion(speed, "real time", stepMillis);
    }

    private static String slowMotion(double speed, String whole, double stepMillis) {
        return String.format(
                Locale.ROOT,
                "Slow motion: %.2f of %s, because %s",
                speed,
                whole,
                stepMillis == 0 ? "ticks took too long shortly before" : "steps take " + millis(stepMillis));
    }

    private static String millis(double millis) {
        return (millis < 10 ? String.format(Locale.ROOT, "%.1f", millis) : Math.round(millis)) + " ms";
    }

    /**
     * Physics thread, after every publish.
     *
     * @param stepNanos how long steps take; 0 if they are short again, and time is still slow
     */
    void slowed(double speed, boolean asksForRealTime, long stepNanos) {
        long micros = Math.min(Integer.MAX_VALUE, stepNanos / 1000);
        long flag = asksForRealTime ? 0 : 1L << (Integer.SIZE - 1);
        long parts = Math.max(1, Math.round(speed * SPEED_UNITS)); // 0 would mean full speed
        slowMotion.setOpaque(speed == 1 ? 0 : parts << Integer.SIZE | flag | micros);
    }

    /** Adds a tick. Physics thread, after every publish. */
    void ticked(TickTimes times) {
        lateness.record(times.startedNanos - times.dueNanos);
        step.record(times.steppedNanos - times.startedNanos);
        publishDelay.record(times.publishedNanos - times.dueNanos);
        if (times.overrunNanos > 0) {
            overruns.setOpaque(overruns.getPlain() + 1);
        }
    }

    @Override
    public String toString() {
        String slow = slowMotion();
        return "p50 / p99 in ms: late " + lateness + ", step " + step + ", published after " + publishDelay
                + (slow.isEmpty() ? "" : ". " + slow);
    }
}
