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
 * The pauses of this JVM's garbage collector, told by the Flight Recorder.
 *
 * <p>One thread starts it and closes it.
 */
final class JvmPauses implements AutoCloseable {

    private final RecordingStream stream = new RecordingStream();

    /** An event whose instant of the clock is known, to place the others by. The stream's thread only. */
    private @Nullable RecordedEvent known;

    /** Is told of each pause. */
    @FunctionalInterface
    interface Listener {

        /**
         * Called on the recorder's thread, about a second after the pause.
         *
         * @param fromNanos when all threads were stopped, an instant of {@link System#nanoTime()}
         * @param toNanos   when they went on
         * @param name      what the collector calls it
         */
        void paused(long fromNanos, long toNanos, String name);
    }

    private JvmPauses(Listener listener) {
        // Otherwise this recording would switch on all events of applications: those of each tick and frame, for
        // example.
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

    /** Starts to watch this JVM. The watch is to be closed. */
    static JvmPauses start(Listener listener) {
        JvmPauses pauses = new JvmPauses(listener);
        pauses.stream.startAsync();
        new Start(System.nanoTime()).commit();
        return pauses;
    }

    private void paused(RecordedEvent pause, Listener listener) {
        if (known != null) { // otherwise it was before the start
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

    /** An event of our own, whose instant of the clock is in it. */
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
