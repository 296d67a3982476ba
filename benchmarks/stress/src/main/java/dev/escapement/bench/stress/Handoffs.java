package dev.escapement.bench.stress;

import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.ProgressLine;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.SnapshotWriter;
import dev.escapement.state.snapshot.PoseBlocks;
import dev.escapement.state.snapshot.PoseLayout;
import dev.escapement.state.snapshot.WritableSnapshot;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.Timeline;
import java.util.EnumSet;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import me.tongfei.progressbar.ProgressBar;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code escapement stress handoffs}: tries to break the handoff. One writer publishes as fast as it can, readers acquire windows at
 * different paces: without a pause, with pauses, holding a window for long, detaching and attaching again. Each of the 259 floats of every
 * snapshot of every window is verified by checksum after the window's last use, also each window's ticks and freshness.
 */
@Command(
        name = "handoffs",
        description = {
            "Hands over snapshots at full speed to readers of different paces and verifies every window.",
            "Exit code: 0 all guarantees held, 1 one was broken, 2 the input was bad."
        })
final class Handoffs extends ConsoleCommand {

    private static final int MAX_READERS = 8;
    private static final int BODIES = 37;
    private static final int WINDOW_SIZE = 3;
    private static final int DETACH_ONCE_IN = 5_000;

    /** How often readers park, and for at most how long: the first never, the second now and then, the third long; then repeated. */
    private static final int[] PARKS_ONCE_IN = {0, 64, 256};

    private static final int[] MAX_PARKED_NANOS = {0, 100_000, 5_000_000};

    @Option(
            names = "--count",
            paramLabel = "N",
            defaultValue = "100000000",
            description = "How many snapshots to publish.")
    private long count;

    @Option(names = "--readers", paramLabel = "R", defaultValue = "3", description = "How many readers, 1 to 8.")
    private int readers;

    @Option(names = "--seed", paramLabel = "S", defaultValue = "1", description = "Seed of the random choices.")
    private long seed;

    @Option(
            names = "--plant",
            paramLabel = "FAULT",
            description = "${COMPLETION-CANDIDATES}: a fault planted on purpose, which must be found.")
    private @Nullable Plant plant;

    private final Timeline timeline = new Timeline(TickRate.hertz(100));

    // The newest tick whose publish is complete: a fresh window holds it or a newer one. Release and acquire, so that
    // seeing the number implies that the publish before it is visible, too.
    private final AtomicLong published = new AtomicLong();

    /** A fault planted on purpose, to see that it is found. */
    private enum Plant {
        /** Now and then the writer writes into the snapshot it published last. */
        WRITE_AFTER_PUBLISH
    }

    @Override
    public Integer call() {
        if (count < 1) {
            throw new IllegalArgumentException("--count must be positive, but is " + count);
        }
        check("--readers", readers, 1, MAX_READERS);
        StressReport found;
        try (ProgressBar progress = ProgressLine.of("handoffs", count, "")) {
            found = new Scenario(
                            "handoffs",
                            seed,
                            EnumSet.range(Promise.WHOLE, Promise.FRESH),
                            trial -> run(trial, progress::stepTo))
                    .run(plant == null ? null : Promise.WHOLE);
        }
        say(found.text());
        return found.heldInFull() ? 0 : 1;
    }

    private void run(Trial trial, LongConsumer progress) {
        timeline.start(0);
        SnapshotExchange exchange =
                new SnapshotExchange(WINDOW_SIZE, readers, BODIES, timeline.rate(), PoseLayout.PLAIN, null);
        try (Worker reading =
                Worker.start(readers, "handoffs-reader", (self, index) -> read(self, index, exchange, trial))) {
            publish(exchange.writer(), trial.isPlanted(Promise.WHOLE), progress);
            // The last window has the last tick, which each reader takes before it ends.
            Polling.await(Long.MAX_VALUE / 2, reading::hasEnded);
        }
    }

    private void publish(SnapshotWriter writer, boolean planted, LongConsumer progress) {
        SplittableRandom random = new SplittableRandom(seed - 1);
        for (long tick = 1; tick <= count; tick++) {
            WritableSnapshot snapshot = writer.nextSnapshot();
            snapshot.startTick(tick, tick);
            fill(snapshot.poses(), tick);
            snapshot.seal();
            writer.publish(timeline, tick);
            published.setRelease(tick);
            writer.checkInvariants();
            // The last but one is in the last window, which every reader acquires, independent of scheduling.
            if (planted && (tick % 1024 == 0 || tick == count - 1)) {
                snapshot.poses().block(0).qw[random.nextInt(BODIES)] = -1;
            }
            if ((tick & 0xFFFF) == 0) {
                progress.accept(tick);
            }
        }
        progress.accept(count);
    }

    private static void fill(PoseBlocks poses, long tick) {
        poses.resize(BODIES);
        float value = tick & 0xFFFF;
        for (int body = 0; body < BODIES; body++) {
            poses.block(0).set(body, value, value + 1, value + 2, value + 3, value + 4, value + 5, value + body);
        }
    }

    private void read(Worker self, int index, SnapshotExchange exchange, Trial trial) {
        SplittableRandom random = new SplittableRandom(seed + index);
        long newestTick = 0;
        while (newestTick < count && self.isRunning()) {
            // A new check: the first window of a new reader may be older than the last one of the previous reader,
            // because the writer publishes to one reader after the other. It holds at least the tick published before.
            WindowCheck check = new WindowCheck(trial);
            try (SnapshotReader reader = exchange.attach()) {
                do {
                    check.acquire(reader, published.getAcquire());
                    if (reader.hasWindow() && parks(index, random)) {
                        check.check(reader.window()); // it must not have changed in that time
                    }
                } while (check.newestTick() < count && self.isRunning() && random.nextInt(DETACH_ONCE_IN) != 0);
            }
            newestTick = check.newestTick();
        }
    }

    /** Parks while the window is held; returns whether it did. */
    private static boolean parks(int reader, SplittableRandom random) {
        int pace = reader % PARKS_ONCE_IN.length;
        boolean parks = PARKS_ONCE_IN[pace] > 0 && random.nextInt(PARKS_ONCE_IN[pace]) == 0;
        if (parks) {
            LockSupport.parkNanos(random.nextInt(MAX_PARKED_NANOS[pace]));
        }
        return parks;
    }
}
