package dev.escapement.bench.stress.world;

import dev.escapement.bench.stress.trial.Check;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.Snapshot;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Takes windows and checks all that they say: each window when it is taken, and again right before the next is asked for, so after
 * its last use.
 *
 * <p>One thread. States {@link #PROMISES}; {@link Promise#AS_SIMULATED} only if the scenario does, as it needs a model.
 */
public final class CheckingReader {

    /** What a scenario with such a reader states. */
    public static final Set<Promise> PROMISES =
            Set.of(Promise.WHOLE, Promise.CONSECUTIVE, Promise.FORWARDS, Promise.FRESH, Promise.AS_SIMULATED);

    private final Trial trial;
    private final SnapshotReader reader;
    private final LongSupplier published;
    private final Expectation expected;
    private final WindowInspection inspection;
    private final HeldWindow held = new HeldWindow();
    private final Check whole;
    private final Check consecutive;
    private final Check forwards;
    private final Check fresh;
    private final @Nullable Check asSimulated;
    private long newestTick;

    /**
     * Checks what a reader of a service is given.
     *
     * @param published the newest tick that a window asked for from now on must hold
     * @param expected  what bodies have to look like
     */
    public CheckingReader(Trial trial, LongSupplier published, SnapshotReader reader, Expectation expected) {
        this(trial, published, reader, expected, window -> {});
    }

    /** Checks what a reader of a service is given, and looks at each window once more. */
    CheckingReader(
            Trial trial,
            LongSupplier published,
            SnapshotReader reader,
            Expectation expected,
            WindowInspection inspection) {
        this.trial = trial;
        this.reader = reader;
        this.published = published;
        this.expected = expected;
        this.inspection = inspection;
        whole = trial.check(Promise.WHOLE);
        consecutive = trial.check(Promise.CONSECUTIVE);
        forwards = trial.check(Promise.FORWARDS);
        fresh = trial.check(Promise.FRESH);
        asSimulated = trial.checks(Promise.AS_SIMULATED) ? trial.check(Promise.AS_SIMULATED) : null;
    }

    /** Gives back the window it holds, and takes the next. Tells whether it holds one now. */
    public boolean take() {
        checkHeld();
        long atLeast = published.getAsLong();
        boolean another = reader.acquire();
        if (!reader.hasWindow()) {
            return false;
        }
        Window window = reader.window();
        long tick = said(window.newest().tick(), atLeast);
        forwards.that(tick >= newestTick, () -> "tick " + tick + " after tick " + newestTick);
        fresh.that(tick >= atLeast, () -> "tick " + tick + " when " + atLeast + " was published");
        newestTick = window.newest().tick();
        if (another) {
            held.take(window);
            inspection.inspect(window);
        }
        check(window);
        return true;
    }

    /** Checks the window it holds, if any, and keeps it. */
    public void checkHeld() {
        if (reader.hasWindow()) {
            sabotage(reader.window());
            check(reader.window());
        }
    }

    /** The newest tick, or what is no good if that is planted. */
    private long said(long tick, long atLeast) {
        if (trial.isPlanted(Promise.FORWARDS) && newestTick > 0) {
            return newestTick - 1;
        }
        return trial.isPlanted(Promise.FRESH) ? atLeast - 1 : tick;
    }

    private void check(Window window) {
        for (int i = 0; i < window.size(); i++) {
            Snapshot snapshot = window.snapshot(i);
            whole.that(held.isAsTaken(i, snapshot), () -> snapshot + " is torn, or not what it was when it was taken");
            if (asSimulated != null) {
                asSimulated.that(expected.holds(snapshot), () -> snapshot + " has another pose");
            }
            if (i > 0) {
                long before = window.snapshot(i - 1).tick();
                consecutive.that(snapshot.tick() == before + 1, () -> snapshot.tick() + " follows " + before);
            }
        }
    }

    /** Does to the window it holds what nobody may do, if that is planted. */
    private void sabotage(Window window) {
        Snapshot newest = window.newest();
        if (trial.isPlanted(Promise.WHOLE)) { // all of it, as for a later tick, with a checksum that is right
            newest.begin(newest.tick() + window.size(), newest.dueNanos());
            newest.seal();
        }
        if (trial.isPlanted(Promise.AS_SIMULATED) && newest.poses().slotCount() > 0) {
            newest.poses().block(0).px[0] = Float.NaN;
        }
        if (trial.isPlanted(Promise.CONSECUTIVE)) {
            newest.begin(newest.tick() + 1, newest.dueNanos());
        }
    }
}
