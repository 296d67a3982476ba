package dev.escapement.render.web;

import dev.escapement.state.thread.CoreWatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Reports to pages when the JVM paused and when a core was away, while a page is open. Starting and ending a watch takes a moment, so a
 * separate thread does that.
 *
 * <p>The page's thread.
 */
final class MachineRows {

    private static final int MAX_WAITING = 1024;

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
    private @Nullable JvmPauses jvm;

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
        jvm = JvmPauses.start((fromNanos, toNanos, name) ->
                pauses.offer(new Object[] {fromNanos - startNanos, toNanos - startNanos, PageMessage.cut(name)}));
    }

    private void end() {
        if (cores != null && jvm != null) {
            cores.close();
            jvm.close();
            cores = null;
            jvm = null;
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
}
