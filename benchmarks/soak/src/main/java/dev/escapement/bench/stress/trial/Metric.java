package dev.escapement.bench.stress.trial;

import java.util.Locale;

/**
 * A metric of this machine, JVM or engine in a scenario. Breaks no promise.
 *
 * @param name  unique in the scenario: "tick lateness p99"
 * @param value the number
 * @param unit  the unit: "us", "%"
 */
public record Metric(String name, double value, String unit) {

    /** Its name, its value with about four digits, and its unit. */
    @Override
    public String toString() {
        double size = Math.abs(value);
        String format = size >= 100 || value == Math.rint(value) ? "%,.0f" : size >= 10 ? "%,.1f" : "%,.3f";
        return name + " " + String.format(Locale.ROOT, format, value) + (unit.isEmpty() ? "" : " " + unit);
    }
}
