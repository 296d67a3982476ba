package dev.escapement.bench.pacing;

import dev.escapement.state.time.Pacing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The ways to tick at a steady rate, by name. */
enum Contestant {
    ESCAPEMENT,
    ESCAPEMENT_PARK_ONLY,
    YIELD_INSTEAD_OF_SPIN,
    PARK_NANOS,
    SCHEDULED_EXECUTOR,
    SLEEP_POLLING,
    SLEEP_REST,
    CYCLICTEST;

    /** Those that this machine can run. */
    static List<Contestant> available() {
        List<Contestant> all = new ArrayList<>(List.of(values()));
        if (Cyclictest.find().isEmpty()) {
            all.remove(CYCLICTEST);
        }
        return all;
    }

    /** A new one, which has learned nothing yet. */
    Ticker create() {
        return switch (this) {
            case ESCAPEMENT -> new ServiceTicker(Pacing.PARK_THEN_SPIN);
            case ESCAPEMENT_PARK_ONLY -> new ServiceTicker(Pacing.PARK_ONLY);
            case YIELD_INSTEAD_OF_SPIN -> new LoopTicker(new YieldBeforeDeadline());
            case PARK_NANOS -> new LoopTicker(new ParkNanos());
            case SCHEDULED_EXECUTOR -> new ExecutorTicker();
            case SLEEP_POLLING -> new LoopTicker(new SleepPolling());
            case SLEEP_REST -> new LoopTicker(new SleepRest());
            case CYCLICTEST ->
                Cyclictest.find().orElseThrow(() -> new IllegalStateException("cyclictest is not on the PATH"));
        };
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
