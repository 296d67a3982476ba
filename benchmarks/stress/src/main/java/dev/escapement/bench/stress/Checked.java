package dev.escapement.bench.stress;

import java.util.Locale;

/**
 * The result of the checks of a promise.
 *
 * @param promise the key of the promise
 * @param says    the promise, in a sentence without a full stop
 * @param checked how often it was checked
 * @param broken  how often it was broken
 * @param example the first violation, empty if there is none
 */
public record Checked(String promise, String says, long checked, long broken, String example) {

    /** {@return the promise and its first violation} */
    public String violation() {
        return "'" + says + "': " + example;
    }

    String result() {
        return checked == 0
                ? "never checked"
                : broken == 0 ? "held" : String.format(Locale.ROOT, "broken %,d times, first: %s", broken, example);
    }
}
