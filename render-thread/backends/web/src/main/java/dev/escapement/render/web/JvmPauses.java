package dev.escapement.render.web;

import java.time.Duration;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;

/**
 * Reports the pauses of this JVM's garbage collector, from the Flight Recorder.
 *
 * <p>One thread starts and closes it.
 */
final class JvmPauses implements AutoCloseable {

    private final RecordingStream stream = new RecordingStream();

    /** An event whose instant of the clock is known: it converts the times of the others. The stream's thread only. */
    private @Nullable RecordedEvent known;

    /** Gets each pause. */
    @FunctionalInterface
    interface Listener {

        /**
         * Called on the recorder's thread, about a second after the pause.
         *
         * @param fromNanos when all threads were stopped, an instant of {@link System#nanoTime()}
         * @param toNanos   when they resumed
         * @param name      the collector's name for it
         */
        void paused(long fromNanos, long toNanos, String name);
    }

    private JvmPauses(Listener listener) {
        // Otherwise this recording would enable all events of applications, for example those of each tick and frame.
        for (EventType type : FlightRecorder.getFlightRecorder().getEventTypes()) {
            if (!type.getName().startsWith("jdk.")) {
                stream.disable(type.getName());
            }
        }
        stream.enable("jdk.GCPhasePause").withoutThreshold().withoutStackTrace();
        stream.enable(Start.class);
        stream.onEvent(Start.NAME, event -> known = event);
        stream.onEvent("jdk.GCPhasePause", pause -> paused(pause, listener));
    }

    /** Starts to watch this JVM. Close it to end that. */
    static JvmPauses start(Listener listener) {
        JvmPauses pauses = new JvmPauses(listener);
        pauses.stream.startAsync();
        new Start(System.nanoTime()).commit();
        return pauses;
    }

    private void paused(RecordedEvent pause, Listener listener) {
        if (known != null) { // otherwise the pause was before the start
            long fromNanos = known.getLong("nanos")
                    + Duration.between(known.getStartTime(), pause.getStartTime())
                            .toNanos();
            listener.paused(fromNanos, fromNanos + pause.getDuration().toNanos(), pause.getString("name"));
        }
    }

    @Override
    public void close() {
        stream.close();
    }

    /** An event that contains its instant of the clock. */
    @Name(Start.NAME)
    @StackTrace(false)
    private static final class Start extends Event {
        private static final String NAME = "dev.escapement.Start";

        @SuppressWarnings("UnusedVariable") // the recorder reads it
        private final long nanos;

        Start(long nanos) {
            this.nanos = nanos;
        }
    }
}
