package dev.escapement.bench.stress;

import dev.escapement.bench.measure.WindowCheck;
import dev.escapement.state.exchange.SnapshotExchange;
import dev.escapement.state.exchange.SnapshotReader;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/** One reading thread of a {@link HandoffStress}. */
final class StressReader implements Callable<Findings> {

    /** How a reader spends its time. */
    enum Pace {
        EAGER,
        PAUSING,
        LITTERING,
        HOLDING;

        static Pace of(int reader) {
            return values()[reader % values().length];
        }
    }

    private static final int DETACH_ONCE_IN = 5_000;
    private static final int LITTER_BYTES = 64 * 1024;
    private static final int COLLECT_ONCE_IN = 50_000;

    private final SnapshotExchange exchange;
    private final Pace pace;
    private final SplittableRandom random;
    private final AtomicLong published;
    private final long lastTick;
    private final WindowCheck check = new WindowCheck();
    private long windows;
    private long backwards;
    private long stale;
    private long attached;
    private long newest;
    private byte[] litter = new byte[0];

    StressReader(SnapshotExchange exchange, Pace pace, long seed, AtomicLong published, long lastTick) {
        this.exchange = exchange;
        this.pace = pace;
        this.published = published;
        this.lastTick = lastTick;
        random = new SplittableRandom(seed);
    }

    @Override
    public Findings call() {
        while (newest < lastTick) {
            attached++;
            try (SnapshotReader reader = exchange.attach()) {
                boolean stay = true;
                while (newest < lastTick && stay) {
                    take(reader);
                    stay = random.nextInt(DETACH_ONCE_IN) != 0;
                }
            }
        }
        return new Findings(
                windows,
                check.windows(),
                check.tornSnapshots(),
                check.nonConsecutiveWindows(),
                backwards,
                stale,
                attached);
    }

    private void take(SnapshotReader reader) {
        long atLeast = published.getAcquire();
        if (reader.acquire()) {
            windows++;
        }
        if (!reader.hasWindow()) {
            return;
        }
        long tick = reader.window().newestTick();
        if (tick < newest) {
            backwards++;
        }
        if (tick < atLeast) {
            stale++;
        }
        newest = tick;
        check.check(reader.window());
        if (linger()) {
            check.check(reader.window()); // still the same, after all that time
        }
    }

    /** Lets time pass while the window is held; tells whether it did. */
    private boolean linger() {
        switch (pace) {
            case PAUSING -> {
                if (random.nextInt(64) == 0) {
                    LockSupport.parkNanos(random.nextInt(100_000));
                    return true;
                }
            }
            case LITTERING -> {
                litter = new byte[random.nextInt(LITTER_BYTES)];
                if (random.nextInt(COLLECT_ONCE_IN) == 0) {
                    System.gc();
                }
                return litter.length > LITTER_BYTES / 2;
            }
            case HOLDING -> {
                if (random.nextInt(256) == 0) {
                    LockSupport.parkNanos(random.nextInt(5_000_000));
                    return true;
                }
            }
            case EAGER -> {
                // at once to the next
            }
        }
        return false;
    }
}
