package dev.escapement.bench.stress.trial;

import java.util.Locale;

/**
 * What this machine, JVM or engine makes of a scenario. Breaks no promise.
 *
 * @param name  of what, unique in the scenario: "tick lateness p99"
 * @param value how much
 * @param unit  of what unit: "us", "%"
 * @param grade how good that is
 */
public record Figure(String name, double value, String unit, Grade grade) {

    /** How good a figure is. */
    public enum Grade {
        /** As good as a dedicated machine. */
        GOOD,
        /** Usable. */
        FAIR,
        /** To be improved before anything else is measured. */
        POOR,
        /** Neither good nor bad. */
        INFO;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** A figure that is neither good nor bad. */
    public static Figure info(String name, double value, String unit) {
        return new Figure(name, value, unit, Grade.INFO);
    }

    /** A figure that is good up to {@code good}, and fair up to {@code fair}. */
    public static Figure graded(String name, double value, String unit, double good, double fair) {
        return new Figure(name, value, unit, value <= good ? Grade.GOOD : value <= fair ? Grade.FAIR : Grade.POOR);
    }

    /** Its name, its value with about four digits, its unit, and its grade if it has one. */
    @Override
    public String toString() {
        double size = Math.abs(value);
        String format = size >= 100 || value == Math.rint(value) ? "%,.0f" : size >= 10 ? "%,.1f" : "%,.3f";
        return name + " " + String.format(Locale.ROOT, format, value) + (unit.isEmpty() ? "" : " " + unit)
                + (grade == Grade.INFO ? "" : " (" + grade + ")");
    }
}
