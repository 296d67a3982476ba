package dev.escapement.platform.linux;

import java.util.Locale;
import java.util.Map;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A time in nanoseconds, divided by who took it. Immutable.
 *
 * @param ticksNanos   taken by the ticks themselves: the thread ran them, or they slept or waited for a lock or a device
 * @param othersNanos  taken by other threads and programs, which had the core when this thread wanted it, or by a hypervisor
 * @param jvmNanos     taken by the JVM, which had stopped all threads, most often to collect garbage
 * @param unknownNanos taken for an unknown cause
 * @see TimeWatch#lost()
 */
public record TakenTime(long ticksNanos, long othersNanos, long jvmNanos, long unknownNanos) {

    /** No time. */
    public static final TakenTime NONE = new TakenTime(0, 0, 0, 0);

    /** {@return the sum of the four parts} */
    public long totalNanos() {
        return ticksNanos + othersNanos + jvmNanos + unknownNanos;
    }

    /**
     * {@return the sum}
     *
     * @param more the time to add
     */
    public TakenTime plus(TakenTime more) {
        return new TakenTime(
                ticksNanos + more.ticksNanos,
                othersNanos + more.othersNanos,
                jvmNanos + more.jvmNanos,
                unknownNanos + more.unknownNanos);
    }

    /** {@return the parts of this time that the ticks did not take themselves} */
    public TakenTime fromTicks() {
        return new TakenTime(0, othersNanos, jvmNanos, unknownNanos);
    }

    /**
     * {@return {@code nanos} of time in the proportions of this time; all of it of unknown cause if this time is 0} The parts add up to
     * {@code nanos}.
     *
     * @param nanos the new total, not negative
     */
    public TakenTime scaledTo(long nanos) {
        long total = totalNanos();
        if (total <= 0) {
            return new TakenTime(0, 0, 0, nanos);
        }
        double scale = (double) nanos / total;
        long ticks = Math.round(ticksNanos * scale);
        long others = Math.round((ticksNanos + othersNanos) * scale) - ticks;
        long jvm = Math.round((ticksNanos + othersNanos + jvmNanos) * scale) - ticks - others;
        return new TakenTime(ticks, others, jvm, nanos - ticks - others - jvm);
    }

    /**
     * {@return the part of this time that exceeds {@code allowedNanos}, divided by who took it} The ticks may take up to that time
     * themselves without blame.
     */
    TakenTime beyond(long allowedNanos) {
        long excess = totalNanos() - allowedNanos;
        if (excess <= 0) {
            return NONE;
        }
        long own = Math.max(0, ticksNanos - allowedNanos);
        return new TakenTime(own, 0, 0, 0)
                .plus(own == excess ? NONE : fromTicks().scaledTo(excess - own));
    }

    /** {@return the parts in words, the largest first: {@code ticks took too long themselves (62 %), the JVM paused (38 %)}} */
    public String inPercent() {
        double onePercent = Math.max(1, totalNanos()) / 100.0;
        return words(nanos -> String.format(Locale.ROOT, " (%.0f %%)", nanos / onePercent))
                .replace(" (100 %)", "");
    }

    /** {@return the parts in words, the largest first: {@code ticks took too long themselves (14.2 ms), the JVM paused (3.0 ms)}} */
    public String inMillis() {
        return words(nanos -> String.format(Locale.ROOT, " (%.1f ms)", nanos / 1e6));
    }

    /** Returns the parts in words, each with its amount. Leaves out parts whose written amount is 0. */
    private String words(LongFunction<String> amount) {
        return Stream.of(
                        Map.entry("ticks took too long themselves", ticksNanos),
                        Map.entry("no core was free", othersNanos),
                        Map.entry("the JVM paused", jvmNanos),
                        Map.entry("not known", unknownNanos))
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .filter(part -> !amount.apply(part.getValue()).equals(amount.apply(0)))
                .map(part -> part.getKey() + amount.apply(part.getValue()))
                .collect(Collectors.joining(", "));
    }
}
