package dev.escapement.physics.loop;

import dev.escapement.physics.simulation.Distribution;
import dev.escapement.physics.simulation.PhysicsStats;
import dev.escapement.state.exchange.WindowAdvice;
import dev.escapement.state.thread.ThreadGrants;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** Counts and times of a run. The physics thread records, wait-free; any thread reads. */
public final class RunStats implements PhysicsStats {

    private static final double SPEED_UNITS = 1e6;

    private final Histogram lateness = new Histogram();
    private final Histogram step = new Histogram();
    private final Histogram publishDelay = new Histogram();

    // Opaque: the physics thread alone writes them, no reader sees half of a number; nothing else is ordered by them.
    private final AtomicLong rollbacks = new AtomicLong();
    private final AtomicLong resimulatedTicks = new AtomicLong();
    private final AtomicLong droppedLateInputs = new AtomicLong();

    /**
     * The recent speed and its cause in one 64-bit word, so that a reader sees parts of the same tick; 0 at full speed. Opaque: the physics
     * thread alone writes the word, or the thread that has abandoned it, and nothing else is ordered by it.
     *
     * <pre>
     *   bits    value
     *   63..32  share of the requested speed, in millionths, at least 1
     *   31      1 if the requested speed is not real time
     *   30..0   length of a step in microseconds; 0 if steps are short again
     * </pre>
     */
    private final AtomicLong slowMotion = new AtomicLong();

    /**
     * The spread of publish delays and the length of a tick, in one 64-bit word, so that a reader sees parts of the same tick. Opaque: the
     * physics thread alone writes the word, and nothing else is ordered by it.
     *
     * <pre>
     *   bits    value
     *   63..32  spread in microseconds
     *   31..0   length of a tick in microseconds, at least 1
     * </pre>
     */
    private final AtomicLong delays = new AtomicLong(1);

    private final int windowSize;
    private final int maxReaders;

    // Volatile: the physics thread writes it once, any thread reads it; else a reader could see a half-built object.
    private volatile ThreadGrants threadGrants = ThreadGrants.none();

    private final List<Supplier<Map<String, Long>>> added = new CopyOnWriteArrayList<>();

    RunStats(int windowSize, int maxReaders) {
        this.windowSize = windowSize;
        this.maxReaders = maxReaders;
    }

    @Override
    public Distribution latenessNanos() {
        return lateness;
    }

    @Override
    public Distribution stepNanos() {
        return step;
    }

    @Override
    public Distribution publishDelayNanos() {
        return publishDelay;
    }

    @Override
    public long rollbacks() {
        return rollbacks.getOpaque();
    }

    @Override
    public long resimulatedTicks() {
        return resimulatedTicks.getOpaque();
    }

    @Override
    public long droppedLateInputs() {
        return droppedLateInputs.getOpaque();
    }

    void resimulated(long ticks) {
        rollbacks.setOpaque(rollbacks.getPlain() + 1);
        resimulatedTicks.setOpaque(resimulatedTicks.getPlain() + ticks);
    }

    long droppedLateInput() {
        long dropped = droppedLateInputs.getPlain() + 1;
        droppedLateInputs.setOpaque(dropped);
        return dropped;
    }

    @Override
    public ThreadGrants threadGrants() {
        return threadGrants;
    }

    /** Stores the grants of the thread policy. Physics thread, before the first tick. */
    public void granted(ThreadGrants grants) {
        threadGrants = grants;
    }

    @Override
    public void addCounts(Supplier<Map<String, Long>> counts) {
        added.add(Objects.requireNonNull(counts, "counts must not be null"));
    }

    @Override
    public Map<String, Long> counts() {
        Map<String, Long> all = new LinkedHashMap<>();
        added.forEach(counts -> counts.get().forEach((name, count) -> all.merge(name, count, Long::sum)));
        return all;
    }

    @Override
    public double speed() {
        long now = slowMotion.getOpaque();
        return now == 0 ? 1 : (now >>> Integer.SIZE) / SPEED_UNITS;
    }

    @Override
    public String slowMotion() {
        long now = slowMotion.getOpaque();
        return now == 0
                ? ""
                : PhysicsStats.slowMotion(
                        (now >>> Integer.SIZE) / SPEED_UNITS,
                        (int) now < 0 ? "the requested speed" : "real time",
                        ((int) now & Integer.MAX_VALUE) / 1e3);
    }

    @Override
    public String windowAdvice() {
        long now = delays.getOpaque();
        return WindowAdvice.of((now >>> Integer.SIZE) * 1000, (int) now * 1000L, windowSize, maxReaders);
    }

    void varied(long spreadNanos, long lengthNanos) {
        long spreadMicros = Math.min(Integer.MAX_VALUE, spreadNanos / 1000);
        long lengthMicros = Math.max(1, Math.min(Integer.MAX_VALUE, lengthNanos / 1000));
        delays.setOpaque(spreadMicros << Integer.SIZE | lengthMicros);
    }

    /**
     * Records the recent speed. Physics thread, after every publish.
     *
     * @param speed           a share of the requested speed, 1 if nothing is lost
     * @param asksForRealTime whether the requested speed is real time
     * @param stepNanos       the length of a step; 0 if steps are short again, and time is still slow
     */
    void slowed(double speed, boolean asksForRealTime, long stepNanos) {
        long micros = Math.min(Integer.MAX_VALUE, stepNanos / 1000);
        long flag = asksForRealTime ? 0 : 1L << (Integer.SIZE - 1);
        long parts = Math.max(1, Math.round(speed * SPEED_UNITS)); // 0 would mean full speed
        slowMotion.setOpaque(speed == 1 ? 0 : parts << Integer.SIZE | flag | micros);
    }

    void ticked(MeasuredTimes times) {
        lateness.record(times.startedNanos - times.dueNanos);
        step.record(times.steppedNanos - times.startedNanos);
        publishDelay.record(times.publishedNanos - times.dueNanos);
    }

    @Override
    public String toString() {
        String slow = slowMotion();
        String advice = windowAdvice();
        return "p50 / p99 in ms: late " + lateness + ", step " + step + ", published after " + publishDelay
                + (slow.isEmpty() ? "" : ". " + slow)
                + (advice.isEmpty() ? "" : ". " + advice);
    }
}
