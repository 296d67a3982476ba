package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Check;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.bench.stress.trial.WindowCheck;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.snapshot.WritableSnapshot;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * Acquires windows and checks them completely: each when it is acquired, and again right before acquiring the next one, after its last
 * use.
 *
 * <p>One thread. Its scenario states the promises of {@link WindowCheck}, and {@link Promise#AS_SIMULATED}.
 */
final class CheckingReader implements AutoCloseable {

    private final Trial trial;
    private final SnapshotReader reader;
    private final LongSupplier published;
    private final Predicate<Snapshot> expected;
    private final WindowCheck windows;
    private final Check asSimulated;

    /**
     * Checks the windows of a reader; closes it.
     *
     * @param published the newest tick that a window acquired from now on must hold
     */
    CheckingReader(Trial trial, LongSupplier published, SnapshotReader reader, Predicate<Snapshot> expected) {
        this.trial = trial;
        this.reader = reader;
        this.published = published;
        this.expected = expected;
        windows = new WindowCheck(trial);
        asSimulated = trial.check(Promise.AS_SIMULATED);
    }

    /** Checks the window it holds, releases it, and acquires the next one. */
    void take() {
        if (reader.hasWindow()) {
            breakPlanted(reader.window());
            windows.check(reader.window());
            checkWorld(reader.window());
        }
        long atLeast = published.getAsLong();
        windows.acquire(reader, atLeast);
        if (!reader.hasWindow()) {
            return;
        }
        long newest = windows.newestTick();
        if (trial.isPlanted(Promise.FORWARDS)) {
            windows.asked(newest - 1, newest - 1);
        } else if (trial.isPlanted(Promise.FRESH)) {
            windows.asked(newest, newest + 1);
        }
        checkWorld(reader.window());
    }

    @Override
    public void close() {
        reader.close();
    }

    private void checkWorld(Window window) {
        for (int i = 0; i < window.size(); i++) {
            Snapshot snapshot = window.snapshot(i);
            asSimulated.that(expected.test(snapshot), () -> snapshot + " has another pose");
        }
    }

    /** Writes into the window it holds, which is forbidden, if that fault is planted. */
    private void breakPlanted(Window window) {
        WritableSnapshot newest = (WritableSnapshot) window.newest();
        if (trial.isPlanted(Promise.WHOLE)) { // all of it, as for a later tick, with a correct checksum
            newest.startTick(newest.tick() + window.size(), newest.dueNanos());
            newest.seal();
        }
        if (trial.isPlanted(Promise.AS_SIMULATED) && newest.poses().slotCount() > 0) {
            newest.poses().block(0).px[0] = Float.NaN;
        }
        if (trial.isPlanted(Promise.CONSECUTIVE)) {
            newest.startTick(newest.tick() + 1, newest.dueNanos());
        }
    }
}
