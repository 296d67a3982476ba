package dev.escapement.bench.measure;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import jdk.jfr.Event;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.consumer.RecordingStream;

/**
 * What the garbage collector did since this was started, told by the Flight Recorder.
 *
 * <pre>{@code
 * try (JvmPauses pauses = JvmPauses.start()) {
 *     work();
 *     long longestNanos = pauses.soFar().longestPauseNanos();
 * }
 * }</pre>
 *
 * <p>One thread.
 */
public final class JvmPauses implements AutoCloseable {

    private static final long MOST_SECONDS = 10;

    private final RecordingStream stream = new RecordingStream();

    // Volatile: written by the stream's thread alone, read by the thread that asks. An event per pause, so the cost
    // does not matter.
    private volatile Totals totals = new Totals(0, 0, 0, 0, 0);
    private volatile CountDownLatch told = new CountDownLatch(1);

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

    private JvmPauses() {
        stream.enable("jdk.GCPhasePause").withoutThreshold().withoutStackTrace();
        stream.enable("jdk.GarbageCollection").withoutThreshold().withoutStackTrace();
        stream.enable(UntilHere.class);
        stream.onEvent(
                "jdk.GCPhasePause",
                event -> totals = totals.plusPause(event.getDuration().toNanos()));
        stream.onEvent(
                "jdk.GarbageCollection",
                event -> totals = totals.plusCollection(event.getDuration().toNanos()));
        stream.onEvent(UntilHere.NAME, event -> told.countDown());
    }

    /** Starts to watch this JVM. */
    public static JvmPauses start() {
        JvmPauses pauses = new JvmPauses();
        pauses.stream.startAsync();
        return pauses;
    }

    /**
     * What was seen until now. The recorder tells of events once a second, so this waits for the next time.
     *
     * @throws IllegalStateException if the recorder does not tell within 10 s, or the calling thread was interrupted
     */
    public Totals soFar() {
        told = new CountDownLatch(1);
        new UntilHere().commit();
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
        private static final String NAME = "dev.escapement.bench.UntilHere";
    }
}
