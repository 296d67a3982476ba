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
 * Reports pauses in which the JVM has stopped all its threads, for garbage collection or other operations. The Flight Recorder records
 * them.
 *
 * <p>Started and closed by one thread.
 */
final class JvmPauses implements AutoCloseable {

    private static final String OPERATION = "jdk.ExecuteVMOperation";
    private static final long MAX_FLUSH_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final long POLL_NANOS = 10_000_000;

    /**
     * The number of readings of the recorder's clock and of {@link System#nanoTime()}. More than one, because a thread may lose its core
     * within a reading, and the first one also links the event's class.
     */
    private static final int READINGS = 16;

    private final LinuxCounts counts;
    private final TimeWatch.Listener listener;
    private final RecordingStream stream = new RecordingStream();

    /** The shortest event with a reading of the clock, to convert times of events. Only the thread that reads events uses it. */
    private @Nullable RecordedEvent known;

    // The time of the recorder's last flush, its delivery of events; lastFlushNanos is the time of the flush before.
    // Both are kept, because the recorder may collect the events of one flush before the previous flush ends.
    private long flushNanos = System.nanoTime();

    // Volatile: the thread that reads events writes it, after it has reported them; any thread reads it.
    private volatile long lastFlushNanos = flushNanos;
    private volatile long reportedUntilNanos = flushNanos;

    JvmPauses(LinuxCounts counts, TimeWatch.Listener listener) {
        this.counts = counts;
        this.listener = listener;
    }

    /** Starts to report each pause about a second after it, on a thread of the recorder. */
    void start() {
        // The recording would otherwise enable all events of applications, for example the events of each tick and
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

    /** Returns the instant up to which all ended pauses were reported. Any thread. */
    long reportedUntilNanos() {
        return reportedUntilNanos;
    }

    /** Waits until all pauses before an instant were reported, most often for less than two seconds. */
    void awaitReported(long nanos) {
        long endNanos = System.nanoTime() + MAX_FLUSH_NANOS;
        // Waits for the second flush after the instant, because the recorder may have collected the events of the first
        // flush before the instant.
        while (lastFlushNanos - nanos < 0
                && System.nanoTime() - endNanos < 0
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private void takeReading(RecordedEvent reading) {
        // The reading of the clock lies between the event's begin and end, so it is known to within the event's
        // duration.
        if (known == null || reading.getDuration().compareTo(known.getDuration()) < 0) {
            known = reading;
        }
    }

    private void takeOperation(RecordedEvent operation) {
        // Skips events that stop no threads, and those before the first reading.
        if (known != null && operation.getBoolean("safepoint")) {
            long from = nanos(known, Duration.between(known.getStartTime(), operation.getStartTime()));
            long to = nanos(known, Duration.between(known.getStartTime(), operation.getEndTime()));
            counts.paused(from, to);
            listener.paused(from, to, String.valueOf(operation.getString("operation")));
        }
    }

    private static long nanos(RecordedEvent known, Duration since) {
        return known.getLong("nanos") + since.toNanos();
    }

    @Override
    public void close() {
        stream.close();
    }

    @Name(Start.NAME)
    @StackTrace(false)
    private static final class Start extends Event {
        private static final String NAME = "dev.escapement.Start";

        @SuppressWarnings("UnusedVariable") // the recorder reads the field
        private long nanos;
    }
}
