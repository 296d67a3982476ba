package dev.escapement.platform.linux;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;

/**
 * Reports when the JVM had stopped all its threads, from the Flight Recorder: from the moment when it asked them to stop until they went on.
 * Collections, and whatever else needs that.
 *
 * <p>Started and closed by one thread.
 */
final class JvmPauses implements AutoCloseable {

    private static final String BEGIN = "jdk.SafepointBegin";
    private static final String OPERATION = "jdk.ExecuteVMOperation";

    /** Of an operation that the JVM has stopped its threads for; several may follow each other. */
    private static final long MAX_UNTIL_OPERATION_NANOS = 1_000_000;

    private static final long MAX_FLUSH_SECONDS = 10;

    /** Both clocks are read this often, because a thread may lose its core within one. The first one also links the event's class. */
    private static final int READINGS = 16;

    private final LinuxCounts counts;
    private final TimeWatch.Listener listener;
    private final RecordingStream stream = new RecordingStream();
    private final Semaphore flushes = new Semaphore(0);

    /**
     * The shortest event whose instant of the clock is known: it converts the times of the others. Of the thread that reads events, like all
     * below.
     */
    private @Nullable RecordedEvent known;

    // When the recorder passed its events on: the last two times, because events of the first may be collected before
    // its beginning.
    private long flushNanos = System.nanoTime();

    // Volatile: written by the thread that reads events, after it has reported them; read by any.
    private volatile long lastFlushNanos = flushNanos;
    private volatile long reportedUntilNanos = flushNanos;

    /** The last time when threads were stopped. */
    private @Nullable RecordedEvent begun;

    JvmPauses(LinuxCounts counts, TimeWatch.Listener listener) {
        this.counts = counts;
        this.listener = listener;
    }

    /** Starts to report each pause about a second after it, on a thread of the recorder. */
    void start() {
        // Otherwise this recording would enable all events of applications, for example those of each tick and frame.
        for (EventType type : FlightRecorder.getFlightRecorder().getEventTypes()) {
            if (!type.getName().startsWith("jdk.")) {
                stream.disable(type.getName());
            }
        }
        for (String type : new String[] {BEGIN, OPERATION, Start.NAME}) {
            stream.enable(type).withoutThreshold().withoutStackTrace();
            stream.onEvent(type, this::happened);
        }
        stream.onFlush(this::flushed);
        stream.startAsync();
        for (int i = 0; i < READINGS; i++) {
            Start reading = new Start();
            reading.begin();
            reading.nanos = System.nanoTime();
            reading.commit();
        }
    }

    private void flushed() {
        reportedUntilNanos = lastFlushNanos;
        lastFlushNanos = flushNanos;
        flushNanos = System.nanoTime();
        flushes.release();
    }

    /** All pauses that ended before this instant were reported. Any thread. */
    long reportedUntilNanos() {
        return reportedUntilNanos;
    }

    /** Waits until all pauses before an instant were reported, most often for less than two seconds. */
    void awaitReported(long nanos) {
        try {
            // The recorder may have collected events of the first flush after the instant before it.
            boolean comes = true;
            while (comes && lastFlushNanos - nanos < 0) {
                comes = flushes.tryAcquire(MAX_FLUSH_SECONDS, TimeUnit.SECONDS); // at once for those of earlier flushes
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void happened(RecordedEvent event) {
        switch (event.getEventType().getName()) {
            case Start.NAME -> {
                // The instant was between its begin and its end, so it is known to within its duration.
                if (known == null || event.getDuration().compareTo(known.getDuration()) < 0) {
                    known = event;
                }
            }
            case BEGIN -> begun = event;
            case OPERATION -> {
                if (known != null && event.getBoolean("safepoint")) { // else the pause was before the start, or none
                    long from = nanos(
                            known,
                            Duration.between(
                                    known.getStartTime(), stopping(event).getStartTime()));
                    long to = nanos(known, Duration.between(known.getStartTime(), event.getEndTime()));
                    counts.paused(from, to);
                    listener.paused(from, to, String.valueOf(event.getString("operation")));
                }
            }
            default -> {} // of another recording
        }
    }

    /** What began when the JVM stopped its threads for an operation: that, if it is known, else the operation. */
    private RecordedEvent stopping(RecordedEvent operation) {
        return begun != null
                        && Duration.between(begun.getEndTime(), operation.getStartTime())
                                        .abs()
                                        .toNanos()
                                < MAX_UNTIL_OPERATION_NANOS
                ? begun
                : operation;
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
