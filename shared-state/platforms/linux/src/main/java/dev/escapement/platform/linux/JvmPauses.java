package dev.escapement.platform.linux;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;

/**
 * Reports when the JVM had stopped all its threads: for collections, and whatever else needs that. The Flight Recorder knows it.
 *
 * <p>Started and closed by one thread.
 */
final class JvmPauses implements AutoCloseable {

    private static final String OPERATION = "jdk.ExecuteVMOperation";
    private static final long MAX_FLUSH_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long POLL_NANOS = 10_000_000;

    /** Both clocks are read this often, because a thread may lose its core within one. The first one also links the event's class. */
    private static final int READINGS = 16;

    private final LinuxCounts counts;
    private final TimeWatch.Listener listener;
    private final RecordingStream stream = new RecordingStream();

    /** The shortest event that contains an instant of the clock: it converts the times of the others. Only the reading thread uses it. */
    private @Nullable RecordedEvent known;

    // When the recorder last flushed, that is, delivered its events; lastFlushNanos is the flush before that. Both are
    // kept, because the recorder may collect the events of one flush before the previous flush ends.
    private long flushNanos = System.nanoTime();

    // Volatile: written by the thread that reads events, after it has reported them; read by any.
    private volatile long lastFlushNanos = flushNanos;
    private volatile long reportedUntilNanos = flushNanos;

    JvmPauses(LinuxCounts counts, TimeWatch.Listener listener) {
        this.counts = counts;
        this.listener = listener;
    }

    /** Starts to report each pause about a second after it, on a thread of the recorder. */
    void start() {
        // Without this, the recording enables all events of applications, for example the events of each tick and
        // frame.
        for (EventType type : FlightRecorder.getFlightRecorder().getEventTypes()) {
            if (!type.getName().startsWith("jdk.")) {
                stream.disable(type.getName());
            }
        }
        stream.enable(Start.NAME).withoutThreshold().withoutStackTrace();
        stream.enable(OPERATION).withoutThreshold().withoutStackTrace();
        stream.onEvent(Start.NAME, this::takeReading);
        stream.onEvent(OPERATION, this::takeOperation);
        stream.onFlush(() -> {
            reportedUntilNanos = lastFlushNanos;
            lastFlushNanos = flushNanos;
            flushNanos = System.nanoTime();
        });
        stream.startAsync();
        for (int i = 0; i < READINGS; i++) {
            Start reading = new Start();
            reading.begin();
            reading.nanos = System.nanoTime();
            reading.commit();
        }
    }

    /** All pauses that ended before this instant were reported. Any thread. */
    long reportedUntilNanos() {
        return reportedUntilNanos;
    }

    /** Waits until all pauses before an instant were reported, most often for less than two seconds. */
    void awaitReported(long nanos) {
        long endNanos = System.nanoTime() + MAX_FLUSH_NANOS;
        // The recorder may have collected events of the first flush after the instant before it.
        while (lastFlushNanos - nanos < 0
                && System.nanoTime() - endNanos < 0
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private void takeReading(RecordedEvent reading) {
        // The instant was between its begin and its end, so it is known to within its duration.
        if (known == null || reading.getDuration().compareTo(known.getDuration()) < 0) {
            known = reading;
        }
    }

    private void takeOperation(RecordedEvent operation) {
        if (known != null && operation.getBoolean("safepoint")) { // else the pause was before the start, or none
            long from = nanos(known, Duration.between(known.getStartTime(), operation.getStartTime()));
            long to = nanos(known, Duration.between(known.getStartTime(), operation.getEndTime()));
            counts.paused(from, to);
            listener.paused(from, to, String.valueOf(operation.getString("operation")));
        }
    }

    private static long nanos(RecordedEvent known, Duration since) {
        return known.getLong("nanos") + since.toNanos();
    }

    /** Ends it. */
    @Override
    public void close() {
        stream.close();
    }

    /** An event that contains an instant of the clock within it. */
    @Name(Start.NAME)
    @StackTrace(false)
    private static final class Start extends Event {
        private static final String NAME = "dev.escapement.Start";

        @SuppressWarnings("UnusedVariable") // the recorder reads it
        private long nanos;
    }
}
