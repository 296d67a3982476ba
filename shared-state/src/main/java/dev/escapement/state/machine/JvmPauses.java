package dev.escapement.state.machine;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
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
 * The pauses and collections of this JVM's garbage collector since this was started, told by the Flight Recorder.
 *
 * <pre>{@code
 * try (JvmPauses pauses = JvmPauses.start()) {
 *     work();
 *     long longestNanos = pauses.soFar().longestPauseNanos();
 * }
 * }</pre>
 *
 * <p>One thread starts it, asks it and closes it.
 */
public final class JvmPauses implements AutoCloseable {

    private static final long MOST_SECONDS = 10;

    private final RecordingStream stream = new RecordingStream();

    // Volatile: written by the stream's thread alone, read by the thread that asks. An event per pause, so the cost
    // does not matter.
    private volatile Totals totals = new Totals(0, 0, 0, 0, 0);
    private volatile CountDownLatch told = new CountDownLatch(1);
    private volatile long asked;

    /** An event whose instant of the clock is known, to place the others by. The stream's thread only. */
    private @Nullable RecordedEvent known;

    /** Is told of each pause. */
    @FunctionalInterface
    public interface Listener {

        /**
         * Called on the recorder's thread, about a second after the pause.
         *
         * @param fromNanos when all threads were stopped, an instant of {@link System#nanoTime()}
         * @param toNanos   when they went on
         * @param name      what the collector calls it
         */
        void paused(long fromNanos, long toNanos, String name);
    }

    /**
     * What was seen.
     *
     * @param pauses            how often all threads were stopped
     * @param pauseNanos        for how long in all
     * @param longestPauseNanos for how long at most
     * @param collections       how many collections there were
     * @param collectionNanos   how long they took, work beside the program included
     */
    public record Totals(long pauses, long pauseNanos, long longestPauseNanos, long collections, long collectionNanos) {

        private Totals plusPause(long nanos) {
            return new Totals(
                    pauses + 1, pauseNanos + nanos, Math.max(longestPauseNanos, nanos), collections, collectionNanos);
        }

        private Totals plusCollection(long nanos) {
            return new Totals(pauses, pauseNanos, longestPauseNanos, collections + 1, collectionNanos + nanos);
        }
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
        stream.enable("jdk.GarbageCollection").withoutThreshold().withoutStackTrace();
        stream.enable(UntilHere.class);
        stream.onEvent("jdk.GCPhasePause", pause -> paused(pause, listener));
        stream.onEvent(
                "jdk.GarbageCollection",
                event -> totals = totals.plusCollection(event.getDuration().toNanos()));
        stream.onEvent(UntilHere.NAME, event -> {
            known = event;
            if (event.getLong("nanos") == asked) {
                told.countDown();
            }
        });
    }

    /**
     * Starts to watch this JVM.
     *
     * @return the watch, to be closed
     */
    public static JvmPauses start() {
        return start((fromNanos, toNanos, name) -> {});
    }

    /**
     * Starts to watch this JVM.
     *
     * @param listener is told of each pause
     * @return the watch, to be closed
     */
    public static JvmPauses start(Listener listener) {
        JvmPauses pauses = new JvmPauses(listener);
        pauses.stream.startAsync();
        new UntilHere(System.nanoTime()).commit();
        return pauses;
    }

    private void paused(RecordedEvent pause, Listener listener) {
        long lengthNanos = pause.getDuration().toNanos();
        totals = totals.plusPause(lengthNanos);
        if (known != null) { // otherwise it was before the start
            long fromNanos = known.getLong("nanos")
                    + Duration.between(known.getStartTime(), pause.getStartTime())
                            .toNanos();
            listener.paused(fromNanos, fromNanos + lengthNanos, pause.getString("name"));
        }
    }

    /**
     * What was seen until now. The recorder tells of events once a second, so this waits for the next time.
     *
     * @return the totals since the start
     * @throws IllegalStateException if the recorder does not tell within 10 s, or the calling thread was interrupted
     */
    public Totals soFar() {
        told = new CountDownLatch(1);
        asked = System.nanoTime();
        new UntilHere(asked).commit();
        try {
            if (!told.await(MOST_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(
                        "the Flight Recorder has told nothing of this JVM for " + MOST_SECONDS + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for the Flight Recorder", e);
        }
        return totals;
    }

    @Override
    public void close() {
        stream.close();
    }

    /** An event of our own: when it is told, so are those before it. */
    @Name(UntilHere.NAME)
    @StackTrace(false)
    private static final class UntilHere extends Event {
        private static final String NAME = "dev.escapement.UntilHere";

        /** When it was committed, an instant of the clock. */
        @SuppressWarnings("UnusedVariable") // the recorder reads it
        private final long nanos;

        UntilHere(long nanos) {
            this.nanos = nanos;
        }
    }
}
