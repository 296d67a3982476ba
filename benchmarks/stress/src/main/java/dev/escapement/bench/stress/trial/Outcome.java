package dev.escapement.bench.stress.trial;

import dev.escapement.bench.measure.Check;
import dev.escapement.bench.measure.Distribution;
import dev.escapement.bench.measure.GivenUpTicks.Reasons;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * What came of a scenario, as it goes into files.
 *
 * @param scenario      its name
 * @param says          what happened in it
 * @param verdict       about the library
 * @param reason        why it was skipped, or what it ended with; empty otherwise
 * @param seconds       how long it ran
 * @param machineAwayMillis how long at least one core was taken away by other programs, a hypervisor, collections or safepoints
 * @param givenUpTicks  deadlines that the service of a scenario gave up between two ticks, if one is watched
 * @param slowGivenUpTicks those of them that were given up because a tick took longer than a period by itself
 * @param unexplainedGivenUpTicks those given up for an unknown reason
 * @param checks        a promise each
 * @param figures       about the machine
 * @param distributions durations
 */
public record Outcome(
        String scenario,
        String says,
        Verdict verdict,
        String reason,
        double seconds,
        double machineAwayMillis,
        long givenUpTicks,
        long slowGivenUpTicks,
        long unexplainedGivenUpTicks,
        List<Checked> checks,
        List<Figure> figures,
        List<Measured> distributions) {

    /** What is known of the promises. */
    public enum Verdict {
        /** All were checked, and all held. */
        HELD,
        /** One was broken, or could not be checked, or the scenario ended by an exception. */
        BROKEN,
        /** Nothing is known. */
        SKIPPED;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

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

    /**
     * Durations.
     *
     * @param name   of what
     * @param micros in five numbers
     */
    public record Measured(String name, Distribution.Summary micros) {}

    /** How often anything was looked at. */
    public long checkedInAll() {
        return checks.stream().mapToLong(Checked::checked).sum();
    }

    /** How often that promise was found broken. */
    public long broken(Promise promise) {
        return checks.stream()
                .filter(check -> check.promise() == promise)
                .mapToLong(Checked::broken)
                .sum();
    }

    /** Whether that promise was found broken. */
    public boolean foundBroken(Promise promise) {
        return broken(promise) > 0;
    }

    /** How many of them came to a verdict. */
    public static long count(List<Outcome> outcomes, Verdict verdict) {
        return outcomes.stream().filter(outcome -> outcome.verdict() == verdict).count();
    }

    /** What is known of the library, in a sentence. */
    public static String libraryVerdict(List<Outcome> outcomes) {
        long broken = count(outcomes, Verdict.BROKEN);
        long held = count(outcomes, Verdict.HELD);
        long skipped = count(outcomes, Verdict.SKIPPED);
        long checked = outcomes.stream().mapToLong(Outcome::checkedInAll).sum();
        return String.format(
                Locale.ROOT,
                "%s%,d %s held in %,d checks%s.",
                broken == 0 ? "" : String.format(Locale.ROOT, "%,d broken, ", broken),
                held,
                held == 1 ? "scenario" : "scenarios",
                checked,
                skipped == 0 ? "" : String.format(Locale.ROOT, ", %,d skipped, of which nothing is known", skipped));
    }

    /** What is known of the machine, in a sentence. */
    public static String machineVerdict(List<Outcome> outcomes) {
        long givenUp = outcomes.stream().mapToLong(Outcome::givenUpTicks).sum();
        long slow = outcomes.stream().mapToLong(Outcome::slowGivenUpTicks).sum();
        long unexplained =
                outcomes.stream().mapToLong(Outcome::unexplainedGivenUpTicks).sum();
        return String.format(
                Locale.ROOT,
                "%,d figures good, %,d fair, %,d poor; %s.",
                graded(outcomes, Figure.Grade.GOOD),
                graded(outcomes, Figure.Grade.FAIR),
                graded(outcomes, Figure.Grade.POOR),
                new Reasons(slow, givenUp - slow - unexplained, unexplained)
                        .says(
                                0,
                                outcomes.stream()
                                        .mapToDouble(Outcome::machineAwayMillis)
                                        .sum()));
    }

    /** What to change about the machine: each piece of advice once, however many figures give it. */
    public static List<String> advice(List<Outcome> outcomes) {
        return figures(outcomes)
                .map(Figure::advice)
                .filter(advice -> !advice.isEmpty())
                .distinct()
                .toList();
    }

    private static long graded(List<Outcome> outcomes, Figure.Grade grade) {
        return figures(outcomes).filter(figure -> figure.grade() == grade).count();
    }

    private static Stream<Figure> figures(List<Outcome> outcomes) {
        return outcomes.stream().flatMap(outcome -> outcome.figures().stream());
    }
}
