package dev.escapement.bench.measure;

import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.TickHook;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import java.nio.LongBuffer;

/**
 * Measures the ticks of a service, and the time until a published snapshot includes an input event. Physics thread; read the metrics after
 * the service was closed.
 */
public final class TickTrace implements TickHook {

    /**
     * The maximum number of input events, ticks and frames that are kept: enough for 100 seconds of the scripted player, which offers a
     * thousand events a second.
     */
    static final int MAX_KEPT = 100_000;

    private final Distribution lateness = new Distribution();
    private final Distribution step = new Distribution();
    private final Distribution publishDelay = new Distribution();
    private final Distribution inputToSnapshot = new Distribution();
    private final ThreadMeter meter = new ThreadMeter();
    private final long warmUpNanos;
    private long firstDueNanos;
    private long measuredFromNanos;
    private long lastNanos;
    private long ticks;
    private boolean warm;

    /** The time stamps of the first {@code MAX_KEPT} events. {@code eventTicks} has the tick that included each. */
    private final long[] stampsNanos = new long[MAX_KEPT];

    private final long[] eventTicks = new long[MAX_KEPT];
    private final LongBuffer steps = LongBuffer.allocate(2 * MAX_KEPT);
    private long inputsApplied;
    private int kept;
    private int publishedBefore;

    // Volatile: written by the physics thread alone, read by the main thread for the progress line.
    private volatile long ticksSoFar;

    /** Creates a trace whose distributions leave out the ticks that are due within {@code warmUpNanos} of the first tick. */
    public TickTrace(long warmUpNanos) {
        this.warmUpNanos = warmUpNanos;
    }

    @Override
    public void stepping(Tick tick) {
        InputFrame input = tick.input();
        for (int i = 0; i < input.size(); i++) {
            InputEvent event = input.event(i);
            // The service itself adds events that end a drag; they have negative numbers.
            boolean isOffered = event.sequence() >= 0;
            inputsApplied += isOffered ? 1 : 0;
            if (isOffered && kept < MAX_KEPT) {
                stampsNanos[kept] = event.timeNanos();
                kept++;
            }
        }
    }

    @Override
    public void published(TickHook.Times times) {
        ticked(
                times.publishedTick(),
                times.dueNanos(),
                times.startedNanos(),
                times.steppedNanos(),
                times.publishedNanos());
    }

    /** Adds the times of a tick. Callers may also add a tick that no service ran. */
    public void ticked(long tick, long dueNanos, long startedNanos, long steppedNanos, long publishedNanos) {
        if (ticks++ == 0) {
            firstDueNanos = dueNanos;
            measuredFromNanos = startedNanos;
        }
        if (!warm && dueNanos - firstDueNanos >= warmUpNanos) {
            endWarmUp(lastNanos);
        }
        if (warm && steps.hasRemaining()) {
            steps.put(steppedNanos - startedNanos).put(publishedNanos);
        }
        lateness.record(startedNanos - dueNanos);
        step.record(steppedNanos - startedNanos);
        publishDelay.record(publishedNanos - dueNanos);
        publishedInput(tick, publishedNanos);
        meter.roundEnded();
        lastNanos = publishedNanos;
        ticksSoFar = ticks;
    }

    private void publishedInput(long tick, long publishedNanos) {
        for (int i = publishedBefore; i < kept; i++) {
            eventTicks[i] = tick;
            inputToSnapshot.record(publishedNanos - stampsNanos[i]);
        }
        publishedBefore = kept;
    }

    private void endWarmUp(long nowNanos) {
        warm = true;
        measuredFromNanos = nowNanos;
        lateness.reset();
        step.reset();
        publishDelay.reset();
        inputToSnapshot.reset();
        meter.reset();
    }

    /** The number of ticks so far, including the warm-up. Any thread. */
    public long ticks() {
        return ticksSoFar;
    }

    /** Of the first ticks after the warm-up: the length of each step, and when readers could see it. */
    public LongBuffer steps() {
        return steps.duplicate().flip();
    }

    public Distribution lateness() {
        return lateness;
    }

    public Distribution step() {
        return step;
    }

    /** The delay from a tick's due time to its publication. */
    public Distribution publishDelay() {
        return publishDelay;
    }

    /** The number of offered input events that were part of a tick. */
    public long inputsApplied() {
        return inputsApplied;
    }

    /** The time from the stamp of an event to the publication of the snapshot that includes it. */
    public Distribution inputToSnapshot() {
        return inputToSnapshot;
    }

    /**
     * The time from the stamp of an event until the first frame that shows it was completely drawn: the first frame whose shown time lies
     * after the tick before the event's tick. Leaves out events of the warm-up, and events that no frame showed.
     *
     * @param completedNanos by tick number: when the first frame that shows part of the tick's motion was completely drawn
     * @param shownTicks     the number of ticks that {@code completedNanos} contains
     */
    Distribution inputToFrame(long[] completedNanos, int shownTicks) {
        Distribution toFrame = new Distribution();
        for (int i = 0; i < kept; i++) {
            if (stampsNanos[i] - measuredFromNanos >= 0 && eventTicks[i] < shownTicks) {
                toFrame.record(completedNanos[(int) eventTicks[i]] - stampsNanos[i]);
            }
        }
        return toFrame;
    }

    public double allocatedBytesPerTick() {
        return meter.allocatedBytesPerRound();
    }

    /** The processor time of the physics thread, in percent of one core. */
    public double corePercent() {
        return meter.corePercent(lastNanos - measuredFromNanos);
    }
}
