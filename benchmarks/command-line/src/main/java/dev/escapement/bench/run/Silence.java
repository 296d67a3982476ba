package dev.escapement.bench.run;

import java.util.Locale;
import java.util.function.Consumer;

/**
 * How long nothing came of a world that is watched. It is told while it lasts, after one second, two, four and so on.
 *
 * <p>Main thread.
 */
final class Silence {

    /** A shorter one is no silence: packets may come late. */
    static final long LEAST_NANOS = 1_000_000_000L;

    private final Consumer<String> say;
    private long lastNanos;
    private long tellNanos = LEAST_NANOS;
    private double seconds;
    private double ageSeconds;

    /** Nothing has been missed yet. */
    Silence(Consumer<String> say) {
        this.say = say;
    }

    /** Looks at how long nothing has come until now. Often: what is between two looks is not seen. */
    void look(long silentNanos) {
        if (silentNanos < lastNanos && lastNanos >= LEAST_NANOS) {
            say.accept(String.format(Locale.ROOT, "It comes again, after %.1f s.", lastNanos / 1e9));
        }
        if (silentNanos < lastNanos) {
            add();
            tellNanos = LEAST_NANOS;
        }
        lastNanos = silentNanos;
        if (lastNanos >= tellNanos) {
            say.accept(String.format(
                    Locale.ROOT,
                    "Nothing has come for %d s: the picture stands still and grows old.",
                    lastNanos / LEAST_NANOS));
            tellNanos = 2 * LEAST_NANOS * (lastNanos / LEAST_NANOS);
        }
    }

    private void add() {
        if (lastNanos >= LEAST_NANOS) {
            double lasted = lastNanos / 1e9;
            seconds += lasted;
            ageSeconds += lasted * lasted / 2;
        }
    }

    /** How long nothing came until the end. */
    record Lasted(double seconds, double secondsAtEnd, double meanAgeMillis) {}

    /** Ends the watch: silence in all, the part that still lasts, and by how much it made the picture older on average. */
    Lasted end(double watchedSeconds) {
        add();
        return new Lasted(seconds, lastNanos >= LEAST_NANOS ? lastNanos / 1e9 : 0, 1e3 * ageSeconds / watchedSeconds);
    }
}
