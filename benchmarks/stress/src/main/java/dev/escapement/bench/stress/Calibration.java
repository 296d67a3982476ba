package dev.escapement.bench.stress;

import dev.escapement.bench.measure.Median;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.stream.DoubleStream;

/** What this machine does, now, by each {@link Yardstick}. */
record Calibration(double wakeUpMicros, double copyMicros, double getAndSetMicros) {

    /** What a figure is measured by. */
    public enum Yardstick {
        /** How late a plain {@code parkNanos} of a millisecond wakes up, the median. */
        WAKE_UP,
        /** How long it takes to copy 1 MB. */
        COPY,
        /** How long an uncontended {@code getAndSet} takes. */
        GET_AND_SET,
        /** Nothing: the figure itself. */
        NONE;

        /** The key in files. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    private static final int MEGABYTE = 1 << 20;
    private static final long PARK_NANOS = 1_000_000;
    private static final int PARKS = 200;
    private static final int COPIES = 400;
    private static final int BATCHES = 100;
    private static final int BATCH = 100_000;

    /** Measures for about half a second. */
    static Calibration measure() {
        byte[] from = new byte[MEGABYTE];
        byte[] to = new byte[MEGABYTE];
        AtomicLong word = new AtomicLong();
        return new Calibration(
                medianMicros(PARKS, Calibration::wakeUpLateNanos),
                medianMicros(COPIES, () -> copyNanos(from, to)),
                medianMicros(BATCHES, () -> getAndSetNanos(word)) / BATCH);
    }

    /** How long the yardstick is, in microseconds; 1 for none. */
    double micros(Yardstick yardstick) {
        return switch (yardstick) {
            case WAKE_UP -> wakeUpMicros;
            case COPY -> copyMicros;
            case GET_AND_SET -> getAndSetMicros;
            case NONE -> 1;
        };
    }

    private static double medianMicros(int times, LongSupplier nanos) {
        // Half of them again at the start, for the JIT compiler.
        DoubleStream measured = DoubleStream.generate(() -> Math.max(1, nanos.getAsLong()))
                .limit(times + times / 2)
                .skip(times / 2);
        return Median.of(measured.toArray()) / 1e3;
    }

    private static long wakeUpLateNanos() {
        long dueNanos = System.nanoTime() + PARK_NANOS;
        long restNanos;
        while ((restNanos = dueNanos - System.nanoTime()) > 0
                && !Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(restNanos);
        }
        return System.nanoTime() - dueNanos;
    }

    private static long copyNanos(byte[] from, byte[] to) {
        from[0]++; // so that every copy is another
        long startNanos = System.nanoTime();
        System.arraycopy(from, 0, to, 0, MEGABYTE);
        return System.nanoTime() - startNanos;
    }

    private static long getAndSetNanos(AtomicLong word) {
        long startNanos = System.nanoTime();
        long sum = 0;
        for (int i = 0; i < BATCH; i++) {
            sum += word.getAndSet(i);
        }
        word.setPlain(sum); // what is used cannot be optimised away
        return System.nanoTime() - startNanos;
    }
}
