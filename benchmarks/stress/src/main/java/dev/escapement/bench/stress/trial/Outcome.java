package dev.escapement.bench.stress.trial;

import dev.escapement.bench.measure.Check;
import java.util.List;

/**
 * What came of a scenario, as it goes into files.
 *
 * @param scenario its name
 * @param says     what happened in it
 * @param held     whether each promise was looked at and always held, and it ended without an exception
 * @param failure  the exception by which it ended; empty otherwise
 * @param seconds  how long it ran
 * @param checks   a promise each
 * @param metrics  about the machine
 */
public record Outcome(
        String scenario,
        String says,
        boolean held,
        String failure,
        double seconds,
        List<Checked> checks,
        List<Metric> metrics) {

    /**
     * A promise.
     *
     * @param promise its key
     * @param says    the promise
     * @param checked how often it was looked at
     * @param broken  how often it was broken
     * @param example what was seen when it was broken first, empty if it never was
     */
    public record Checked(Promise promise, String says, long checked, long broken, String example) {

        static Checked of(Promise promise, Check check) {
            return new Checked(promise, promise.says(), check.checked(), check.broken(), check.example());
        }

        /** Whether it was looked at and always held. */
        public boolean held() {
            return checked > 0 && broken == 0;
        }
    }

    /** How often anything was looked at. */
    public long checkedInAll() {
        return checks.stream().mapToLong(Checked::checked).sum();
    }

    /** Whether that promise was found broken. */
    public boolean foundBroken(Promise promise) {
        return checks.stream().anyMatch(check -> check.promise() == promise && check.broken() > 0);
    }
}
