package dev.escapement.bench.stress.trial;

import java.util.List;

/**
 * The outcome of a scenario, as in files.
 *
 * @param scenario its name
 * @param says     its description
 * @param held     whether each promise was checked and always held, and it ended without an exception
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
     * @param checked how often it was checked
     * @param broken  how often it was broken
     * @param example the first violation, empty if there is none
     */
    public record Checked(Promise promise, String says, long checked, long broken, String example) {

        /** A check as it is now. */
        public static Checked of(Promise promise, Check check) {
            return new Checked(promise, promise.says(), check.checked(), check.broken(), check.example());
        }

        /** The promise, and how it was broken first. */
        public String violation() {
            return "'" + says + "': " + example;
        }

        /** Whether it was checked and always held. */
        public boolean held() {
            return checked > 0 && broken == 0;
        }
    }

    /** The number of checks in all. */
    public long checkedInAll() {
        return checks.stream().mapToLong(Checked::checked).sum();
    }

    /** Whether a promise was found broken. */
    public boolean foundBroken(Promise promise) {
        return checks.stream().anyMatch(check -> check.promise() == promise && check.broken() > 0);
    }
}
