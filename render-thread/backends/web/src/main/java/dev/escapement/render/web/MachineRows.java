package dev.escapement.render.web;

import dev.escapement.platform.linux.TakenTime;
import dev.escapement.platform.linux.TimeWatch;
import dev.escapement.state.world.MetricRing;
import dev.escapement.state.world.TickMetric;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * Reports who took the time of late ticks, and when the JVM paused, to pages while one is open. Starting and ending a watch takes a moment,
 * so a separate thread does that.
 *
 * <p>All methods are called on the page's thread.
 */
final class MachineRows {

    private static final int MAX_WAITING = 1024;

    private final long startNanos;
    private final BlockingQueue<Object[]> late = new ArrayBlockingQueue<>(MAX_WAITING);
    private final BlockingQueue<Object[]> pauses = new ArrayBlockingQueue<>(MAX_WAITING);
    private final ExecutorService starter = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "escapement-live-machine");
        thread.setDaemon(true);
        return thread;
    });
    private @Nullable MetricRing<TickMetric> watched;

    // Only the starter thread uses it.
    private @Nullable TimeWatch watch;

    MachineRows(long startNanos) {
        this.startNanos = startNanos;
    }

    /** Starts to watch {@code ticks} a moment later, in place of the ticks watched before; null for none. */
    void watch(@Nullable MetricRing<TickMetric> ticks) {
        if (ticks != watched) {
            watched = ticks;
            starter.execute(() -> change(ticks));
        }
    }

    private void change(@Nullable MetricRing<TickMetric> ticks) {
        if (watch != null) {
            watch.close();
        }
        watch = ticks == null
                ? null
                : TimeWatch.start(ticks, new TimeWatch.Listener() {
                    @Override
                    public void late(long tick, long fromNanos, long toNanos, TakenTime taken) {
                        late.offer(new Object[] {
                            tick, fromNanos - startNanos, toNanos - startNanos, taken.ticksNanos(), taken.inMillis()
                        });
                    }

                    @Override
                    public void paused(long fromNanos, long toNanos, String name) {
                        pauses.offer(
                                new Object[] {fromNanos - startNanos, toNanos - startNanos, PageMessage.cut(name)});
                    }
                });
    }

    /** Adds a message with everything seen since the last one, if there is anything. */
    void take(List<PageMessage> messages) {
        if (!late.isEmpty() || !pauses.isEmpty()) {
            PageMessage.Machine seen = new PageMessage.Machine(new ArrayList<>(), new ArrayList<>());
            pauses.drainTo(seen.pauses());
            late.drainTo(seen.late());
            messages.add(seen);
        }
    }

    void close() {
        watch(null);
        starter.shutdown();
    }
}
