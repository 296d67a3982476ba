package dev.escapement.render.web;

import dev.escapement.state.machine.CoreWatch;
import dev.escapement.state.machine.JvmPauses;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Tells pages when the JVM paused and when a core was away, while somebody watches. A watch takes a moment to start and to end, so a
 * thread of its own does that.
 *
 * <p>The page's thread.
 */
final class MachineRows {

    private static final int MOST_WAITING = 1024;

    private final long startNanos;
    private final BlockingQueue<String> away = new ArrayBlockingQueue<>(MOST_WAITING);
    private final BlockingQueue<String> pauses = new ArrayBlockingQueue<>(MOST_WAITING);
    private final ExecutorService starter = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "escapement-live-machine");
        thread.setDaemon(true);
        return thread;
    });
    private boolean watching;

    // The starter's thread only.
    private @Nullable CoreWatch cores;
    private @Nullable JvmPauses jvm;

    MachineRows(long startNanos) {
        this.startNanos = startNanos;
    }

    /** Begins or ends to watch, soon. */
    void watch(boolean watched) {
        if (watched != watching) {
            watching = watched;
            starter.execute(watched ? this::begin : this::end);
        }
    }

    private void begin() {
        cores = CoreWatch.start((core, nowNanos, lateNanos) -> {
            if (lateNanos > CoreWatch.AWAY_NANOS) {
                away.offer("[" + core + "," + interval(nowNanos - lateNanos, nowNanos) + "]");
            }
        });
        jvm = JvmPauses.start((fromNanos, toNanos, name) ->
                pauses.offer("[" + interval(fromNanos, toNanos) + "," + Json.text(name) + "]"));
    }

    private String interval(long fromNanos, long toNanos) {
        return (fromNanos - startNanos) + "," + (toNanos - startNanos);
    }

    private void end() {
        if (cores != null && jvm != null) {
            cores.close();
            jvm.close();
            cores = null;
            jvm = null;
        }
    }

    /** The message with what was seen since the last one, null if there is nothing to tell. */
    @Nullable
    String take() {
        if (away.isEmpty() && pauses.isEmpty()) {
            return null;
        }
        return "{\"type\":\"machine\",\"pauses\":[" + joined(pauses) + "],\"away\":[" + joined(away) + "]}";
    }

    private static String joined(BlockingQueue<String> rows) {
        StringBuilder all = new StringBuilder();
        String row;
        while ((row = rows.poll()) != null) {
            all.append(all.isEmpty() ? "" : ",").append(row);
        }
        return all.toString();
    }

    /** Ends for good. */
    void close() {
        watch(false);
        starter.shutdown();
    }
}
