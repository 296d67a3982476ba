package dev.escapement.bench.measure;

import java.util.Locale;

/**
 * One of the few numbers at the start of a report.
 *
 * @param name  what it measures
 * @param value the number with its unit; "-" if nothing was measured
 */
public record Figure(String name, String value) {

    /** A duration in milliseconds; 0 means that nothing was measured. */
    public static Figure millis(String name, double micros) {
        return new Figure(name, micros == 0 ? "-" : String.format(Locale.ROOT, "%,.1f ms", micros / 1e3));
    }

    /** Formats a share in percent, with a decimal below 10 %. */
    public static Figure percent(String name, double percent) {
        return new Figure(
                name, String.format(Locale.ROOT, percent > 0 && percent < 9.95 ? "%.1f %%" : "%.0f %%", percent));
    }

    @Override
    public String toString() {
        return name + " " + value;
    }
}
