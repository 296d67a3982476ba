package dev.escapement.bench.soak;

import dev.escapement.bench.soak.ProcessWatch.Sample;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;

/**
 * Compares what the process has: threads and handles after each life with those after the second, memory within a life and from life to
 * life, and what was logged. The thread that runs.
 */
final class ProcessCheck implements AutoCloseable {

    /** In a shorter life nothing grows by enough. */
    static final double GROWS_IN_SECONDS = 25;

    /** Before, the page still fills up what it shows of the past. */
    private static final long FULL_TICKS = 150L * PageClient.HISTORY_SECONDS;

    /** The first lives open the files of classes, and start what the world keeps: after the second everything is there. */
    private static final int BASE = 2;

    /** A verdict needs fourteen samples. On a slow machine the first comes late; the rest are to be enough within a minute. */
    private static final int SAMPLES_IN_A_LIFE = 25;

    private static final double MEGABYTE = 1 << 20;

    private final Trial trial;
    private final ProcessWatch process = new ProcessWatch();
    private final LogWatch log = new LogWatch();
    private final boolean isLogHeard;
    private final Series heapInLife = new Series();
    private final Series heapOfLives = new Series();
    private final Series residentOfLives = new Series();
    private final List<Closeable> left = new ArrayList<>();
    private int linesBefore;
    private int ends;
    private long nextSampleNanos;
    private long sampleEveryNanos;

    /** Samples of memory. */
    private static final class Series {

        private final List<Double> at = new ArrayList<>();
        private final List<Double> bytes = new ArrayList<>();

        void add(double when, long sample) {
            if (sample > 0) {
                at.add(when);
                bytes.add((double) sample);
            }
        }

        void clear() {
            at.clear();
            bytes.clear();
        }

        /** Checks whether it grows; {@code unit} is what {@code when} counts. */
        void check(Trial trial, Growth growth, String what, String unit) {
            double[] when = at.stream().mapToDouble(Double::doubleValue).toArray();
            double[] samples = bytes.stream().mapToDouble(Double::doubleValue).toArray();
            growth.perUnit(when, samples)
                    .ifPresentOrElse(
                            perUnit -> trial.check(Promise.MEMORY_FLAT)
                                    .broken(String.format(
                                            Locale.ROOT,
                                            "%s grows by %,.0f bytes a %s, from %.1f to %.1f MB in %,.0f of these",
                                            what,
                                            perUnit,
                                            unit,
                                            samples[0] / MEGABYTE,
                                            samples[samples.length - 1] / MEGABYTE,
                                            when[when.length - 1] - when[0])),
                            () -> trial.check(Promise.MEMORY_FLAT).held(1));
        }
    }

    /** @param finder by which the library logs */
    ProcessCheck(Trial trial, Notes notes, System.LoggerFinder finder) {
        this.trial = trial;
        isLogHeard = LogWatch.hears(finder);
        if (!isLogHeard) {
            notes.leftOut(
                    Promise.LOG_EXPLAINED,
                    "the log was not listened to: it goes to "
                            + finder.getClass().getName());
        }
    }

    /** Lives begin: the longest is this long, and their memory changes, for they keep the past or others come and go; or it does not. */
    void begin(double seconds, boolean changes) {
        heapInLife.clear();
        boolean isJudged = seconds >= GROWS_IN_SECONDS && !changes;
        sampleEveryNanos = isJudged ? (long) (seconds * 1e9 / SAMPLES_IN_A_LIFE) : Long.MAX_VALUE / 2;
        nextSampleNanos = System.nanoTime() + sampleEveryNanos;
        plantLog();
    }

    private void plantLog() {
        if (trial.isPlanted(Promise.LOG_EXPLAINED)) {
            System.getLogger("dev.escapement.planted").log(System.Logger.Level.WARNING, "a line that is planted");
        }
    }

    /** Several times a second, with the ticks of all services. Returns what the process has now. */
    Sample look(long ticks) {
        checkLog();
        if (System.nanoTime() - nextSampleNanos < 0 || ticks < FULL_TICKS) {
            return process.sample();
        }
        nextSampleNanos = System.nanoTime() + sampleEveryNanos;
        Sample sample = process.collected();
        heapInLife.add((double) ticks, sample.heapAfterGcBytes());
        heapInLife.check(trial, Growth.HEAP, "the heap", "tick");
        return sample;
    }

    private void checkLog() {
        List<String> lines = log.unexplained();
        for (String line : lines.subList(linesBefore, lines.size())) {
            trial.check(Promise.LOG_EXPLAINED).broken(line);
        }
        if (isLogHeard && lines.size() == linesBefore) {
            trial.check(Promise.LOG_EXPLAINED).held(1);
        }
        linesBefore = lines.size();
    }

    /** All lives have ended; this is the number of the last one. */
    void end(int life) {
        plantLeft();
        List<String> threads = process.threadsLeft();
        trial.check(Promise.THREADS_END)
                .that(threads.isEmpty(), () -> "after life " + life + " there are still " + threads);
        ends++;
        if (ends == BASE) {
            process.setBase();
        } else if (ends > BASE) {
            List<String> more = process.handlesMore();
            trial.check(Promise.HANDLES_CLOSED)
                    .that(
                            more.isEmpty(),
                            () -> "after life " + life + " there are more than after the second: " + more);
        }
        Sample sample = process.collected();
        heapOfLives.add(life, sample.heapAfterGcBytes());
        residentOfLives.add(life, sample.residentBytes());
        heapOfLives.check(trial, Growth.HEAP_OF_LIVES, "the heap", "life");
        residentOfLives.check(trial, Growth.RESIDENT, "the memory of the process", "life");
        checkLog();
    }

    private void plantLeft() {
        if (trial.isPlanted(Promise.THREADS_END)) {
            Thread thread = new Thread(LockSupport::park, "planted");
            thread.setDaemon(true);
            thread.start();
            left.add(() -> LockSupport.unpark(thread));
        }
        if (trial.isPlanted(Promise.HANDLES_CLOSED)) {
            try {
                left.add(Files.newInputStream(Path.of(System.getProperty("java.home"), "release")));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Lets the log be heard again, and ends what was planted. */
    @Override
    public void close() {
        log.close();
        for (Closeable planted : left) {
            try {
                planted.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
