package dev.escapement.bench.stress.trial;

/**
 * The result of a check.
 *
 * @param promise its promise
 * @param says    the promise, in a sentence without a full stop
 * @param checked how often it was checked
 * @param broken  how often it was broken
 * @param example the first violation, empty if there is none
 */
public record Checked(Promise promise, String says, long checked, long broken, String example) {

    /** Returns the promise, and how it was broken first. */
    public String violation() {
        return "'" + says + "': " + example;
    }

    /** Returns whether it was checked, and always held. */
    public boolean held() {
        return checked > 0 && broken == 0;
    }
}
