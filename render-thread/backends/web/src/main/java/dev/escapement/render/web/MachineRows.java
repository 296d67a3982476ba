package dev.escapement.render.web;

import dev.escapement.platform.linux.CoreWatch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import jdk.jfr.Event;
import jdk.jfr.EventType;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingStream;
import org.jspecify.annotations.Nullable;

/**
 * Reports to pages when the JVM's garbage collector paused it, from the Flight Recorder, and when a core was away, while a page is open.
 * Starting and ending a watch takes a moment, so a separate thread does that.
 *
 * <p>The page's thread.
 */
final class MachineRows {

    private static final int MAX_WAITING = 1024;

    /** Both clocks are read this often, because a thread may lose its core within one. The first one also links the event's class. */
    private static final int READINGS = 16;

    private final long startNanos;
    private final BlockingQueue<Object[]> away = new ArrayBlockingQueue<>(MAX_WAITING);
    private final BlockingQueue<Object[]> pauses = new ArrayBlockingQueue<>(MAX_WAITING);
    private final ExecutorService starter = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "escapement-live-machine");
        thread.setDaemon(true);
        return thread;
    });
    private boolean watching;

    // The starter's thread only.
    private @Nullable CoreWatch cores;
    private @Nullable RecordingStream recorder;

    /**
     * The shortest event whose instant of the clock is known: it converts the times of the others. The recorder's thread; the starter's before
     * it starts that.
     */
    private @Nullable RecordedEvent known;

    MachineRows(long startNanos) {
        this.startNanos = startNanos;
    }

    /** Begins or ends the watch, a moment later. */
    void watch(boolean watched) {
        if (watched != watching) {
            watching = watched;
            starter.execute(watched ? this::begin : this::end);
        }
    }

    private void begin() {
        cores = CoreWatch.start((core, nowNanos, lateNanos) -> {
            if (lateNanos > CoreWatch.AWAY_NANOS) {
                away.offer(new Object[] {core, nowNanos - lateNanos - startNanos, nowNanos - startNanos});
            }
        });
        RecordingStream stream = new RecordingStream();
        // Otherwise this recording would enable all events of applications, for example those of each tick and frame.
        for (EventType type : FlightRecorder.getFlightRecorder().getEventTypes()) {
            if (!type.getName().startsWith("jdk.")) {
                stream.disable(type.getName());
            }
        }
        stream.enable("jdk.GCPhasePause").withoutThreshold().withoutStackTrace();
        stream.enable(Start.class);
        stream.onEvent(Start.NAME, this::started);
        stream.onEvent("jdk.GCPhasePause", this::paused);
        known = null; // what an earlier recording knew is old: clocks drift apart
        stream.startAsync();
        for (int i = 0; i < READINGS; i++) {
            Start reading = new Start();
            reading.begin();
            reading.nanos = System.nanoTime();
            reading.commit();
        }
        recorder = stream;
    }

    /** The instant was between its begin and its end, so it is known to within its duration. */
    private void started(RecordedEvent reading) {
        if (known == null || reading.getDuration().compareTo(known.getDuration()) < 0) {
            known = reading;
        }
    }

    /** Takes a pause, about a second after it. */
    private void paused(RecordedEvent pause) {
        if (known != null) { // otherwise the pause was before the start
            Duration since = Duration.between(known.getStartTime(), pause.getStartTime());
            long fromNanos = known.getLong("nanos") + since.toNanos() - startNanos;
            String name = PageMessage.cut(pause.getString("name"));
            pauses.offer(
                    new Object[] {fromNanos, fromNanos + pause.getDuration().toNanos(), name});
        }
    }

    private void end() {
        if (cores != null && recorder != null) {
            cores.close();
            recorder.close();
            cores = null;
            recorder = null;
        }
    }

    /** Adds a message with everything seen since the last one, if there is anything. */
    void take(List<PageMessage> messages) {
        if (!away.isEmpty() || !pauses.isEmpty()) {
            PageMessage.Machine seen = new PageMessage.Machine(new ArrayList<>(), new ArrayList<>());
            pauses.drainTo(seen.pauses());
            away.drainTo(seen.away());
            messages.add(seen);
        }
    }

    /** Ends the watch and its thread. */
    void close() {
        watch(false);
        starter.shutdown();
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
