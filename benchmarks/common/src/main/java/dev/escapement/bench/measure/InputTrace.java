package dev.escapement.bench.measure;

import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;

/**
 * Follows each input event into the snapshot that includes it, on the physics thread. Read it when the service is closed.
 *
 * <p>It checks a bound: an event is visible at most one tick plus the publish delay of its tick after its stamp.
 */
public final class InputTrace {

    /** Enough for 100 seconds of the scripted player's thousand events a second. */
    private static final int MAX_KEPT = 100_000;

    private final Distribution toSnapshot = new Distribution();
    private final long[] stampsNanos = new long[MAX_KEPT];
    private final long[] ticks = new long[MAX_KEPT];
    private long given;
    private int kept;
    private int publishedBefore;
    private long previousDueNanos;
    private boolean started;
    private long maxBeyondBoundNanos = Long.MIN_VALUE;

    InputTrace() {}

    /** Notes the input of a tick. */
    void stepping(Tick tick) {
        InputFrame input = tick.input();
        for (int i = 0; i < input.size(); i++) {
            InputEvent event = input.event(i);
            boolean isOffered = event.sequence() >= 0; // others end a drag
            given += isOffered ? 1 : 0;
            if (isOffered && kept < MAX_KEPT) {
                stampsNanos[kept] = event.timeNanos();
                kept++;
            }
        }
    }

    /** How many of the offered events the ticks got. */
    public long given() {
        return given;
    }

    /** Notes that the last tick is published, with this number for readers. */
    void published(long tick, long dueNanos, long publishedNanos) {
        // Where time was skipped or is slow, due times are further apart than a tick, and input waits longer.
        long tickNanos = dueNanos - previousDueNanos;
        long boundNanos = tickNanos + (publishedNanos - dueNanos);
        for (int i = publishedBefore; i < kept; i++) {
            ticks[i] = tick;
            long tookNanos = publishedNanos - stampsNanos[i];
            toSnapshot.record(tookNanos);
            if (started) {
                maxBeyondBoundNanos = Math.max(maxBeyondBoundNanos, tookNanos - boundNanos);
            }
        }
        publishedBefore = kept;
        previousDueNanos = dueNanos;
        started = true;
    }

    void reset() {
        toSnapshot.reset();
        maxBeyondBoundNanos = Long.MIN_VALUE;
    }

    /** From the stamp of an event to the publishing of the snapshot that includes it. */
    public Distribution toSnapshot() {
        return toSnapshot;
    }

    /** How far the slowest event exceeded the bound; negative if none did, 0 if there was no event. */
    public long maxBeyondBoundNanos() {
        return maxBeyondBoundNanos == Long.MIN_VALUE ? 0 : maxBeyondBoundNanos;
    }

    /**
     * From the stamp of an event to the end of drawing the first frame that shows it: one that shows a moment after the tick before the
     * event's. Events after the last frame are left out.
     *
     * @param completedNanos per tick: when the first frame that shows part of its step was complete
     * @param shownTicks     how many of those are known
     * @param fromNanos      events stamped before are left out
     */
    Distribution toFrame(long[] completedNanos, int shownTicks, long fromNanos) {
        Distribution toFrame = new Distribution();
        for (int i = 0; i < kept; i++) {
            if (stampsNanos[i] - fromNanos >= 0 && ticks[i] < shownTicks) {
                toFrame.record(completedNanos[(int) ticks[i]] - stampsNanos[i]);
            }
        }
        return toFrame;
    }
}
