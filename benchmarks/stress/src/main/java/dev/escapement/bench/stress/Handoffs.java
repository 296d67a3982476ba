package dev.escapement.bench.stress;

import dev.escapement.bench.stress.Scenario.Extent;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Tries to break the handoff of windows. One writer publishes as fast as it can. Readers acquire without a pause, or hold a window for some
 * time, and now and then detach and attach again. After the last use of a window, its reader verifies by checksum all 259 floats of each
 * snapshot, and checks the ticks and the freshness of the window.
 */
final class Handoffs {

    private static final int BODIES = 37;
    private static final int WINDOW_SIZE = 3;
    private static final int DETACH_ONCE_IN = 5_000;

    /**
     * By reader: it holds one window in this many for some time; 0 for never. With more than three readers, the fourth does as the first,
     * and so on.
     */
    private static final int[] PARKS_ONCE_IN = {0, 64, 256};

    private static final int[] MAX_PARKED_NANOS = {0, 100_000, 5_000_000};

    private final Trial trial;
    private final Extent extent;
    private final Timeline timeline = new Timeline(TickRate.hertz(100));
    private final SnapshotExchange exchange;

    // The newest tick whose publish is complete. A window acquired later must have this tick or a newer one. The
    // writer's release pairs with a reader's acquire; otherwise a reader could see the number before the publish.
    private final AtomicLong published = new AtomicLong();

    private Handoffs(Trial trial, Extent extent) {
        this.trial = trial;
        this.extent = extent;
        timeline.start(0);
        exchange = new SnapshotExchange(WINDOW_SIZE, extent.readers(), BODIES, timeline.rate(), PoseLayout.PLAIN, null);
    }

    static void run(Trial trial, Extent extent) {
        Handoffs handoffs = new Handoffs(trial, extent);
        try (Worker reading = Worker.start(extent.readers(), "handoffs-reader", handoffs::read)) {
            handoffs.publish();
            // Each reader ends after it has acquired the window with the last tick.
            Polling.await(Long.MAX_VALUE / 2, reading::hasEnded);
        }
    }

    private void publish() {
        SplittableRandom random = new SplittableRandom(extent.seed() - 1);
        SnapshotWriter writer = exchange.writer();
        boolean isTorn = trial.isPlanted(Promise.WHOLE);
        for (long tick = 1; tick <= extent.count(); tick++) {
            WritableSnapshot snapshot = writer.nextSnapshot();
            snapshot.startTick(tick, tick);
            fill(snapshot.poses(), tick);
            snapshot.seal();
            writer.publish(timeline, tick);
            published.setRelease(tick);
            // Also tears the last tick but one. Every reader acquires the last window, which contains this tick,
            // however threads are scheduled.
            if (isTorn && (tick % 1024 == 0 || tick == extent.count() - 1)) {
                snapshot.poses().block(0).qw[random.nextInt(BODIES)] = -1;
            }
            if ((tick & 0xFFFF) == 0) {
                extent.progress().accept(tick);
            }
        }
        extent.progress().accept(extent.count());
    }

    private static void fill(PoseBlocks poses, long tick) {
        poses.resize(BODIES);
        float value = tick & 0xFFFF;
        for (int body = 0; body < BODIES; body++) {
            poses.block(0).set(body, value, value + 1, value + 2, value + 3, value + 4, value + 5, value + body);
        }
    }

    private void read(Worker self, int index) {
        SplittableRandom random = new SplittableRandom(extent.seed() + index);
        long newestTick = 0;
        while (newestTick < extent.count() && self.isRunning()) {
            // A new reader needs a new check. Its first window may be older than the previous reader's last one,
            // because the writer publishes to one reader after the other. But it must have at least the tick that was
            // published before the acquire.
            WindowCheck check = new WindowCheck(trial);
            try (SnapshotReader reader = exchange.attach()) {
                do {
                    check.acquire(reader, published.getAcquire());
                    if (reader.hasWindow() && (plants(check, reader) || parks(index, random))) {
                        check.check(reader.window()); // the window must not have changed while the reader held it
                    }
                } while (check.newestTick() < extent.count()
                        && self.isRunning()
                        && random.nextInt(DETACH_ONCE_IN) != 0);
            }
            newestTick = check.newestTick();
        }
    }

    /**
     * Plants a fault on the reader's side, until the fault is found. Returns whether it planted one. Torn snapshots are planted by the
     * writer.
     */
    private boolean plants(WindowCheck check, SnapshotReader reader) {
        boolean plants = trial.planted() != null && trial.planted() != Promise.WHOLE && !trial.isFound();
        if (plants) {
            check.plant(reader.window());
        }
        return plants;
    }

    /** Parks for some time or not at all, while the reader holds its window. Returns whether it parked. */
    private static boolean parks(int reader, SplittableRandom random) {
        int pace = reader % PARKS_ONCE_IN.length;
        boolean parks = PARKS_ONCE_IN[pace] > 0 && random.nextInt(PARKS_ONCE_IN[pace]) == 0;
        if (parks) {
            LockSupport.parkNanos(random.nextInt(MAX_PARKED_NANOS[pace]));
        }
        return parks;
    }
}
