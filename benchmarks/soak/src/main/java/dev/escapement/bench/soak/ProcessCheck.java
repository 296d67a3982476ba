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

    /** A verdict needs {@value Growth#LEAST_SAMPLES}. On a slow machine the first comes late; the rest are to be enough within a minute. */
    private static final int SAMPLES_IN_A_LIFE = 25;

    /** A sample stops all threads for a collection: at most this part of the time, or a large heap would hardly tick. */
    private static final long RUNS_PER_COLLECTION = 10;

    private static final double MEGABYTE = 1 << 20;

    private final Trial trial;
    private final Notes notes;
    private final ProcessWatch process = new ProcessWatch();
    private final LogWatch log;
    private Series heapInLife = new Series();
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

        /** Checks whether it grows, once there are enough samples; {@code unit} is what {@code when} counts. */
        void check(Trial trial, Growth growth, String what, String unit) {
            if (at.size() < Growth.LEAST_SAMPLES) {
                return;
            }
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

    ProcessCheck(Trial trial, Notes notes) {
        this.trial = trial;
        this.notes = notes;
        log = new LogWatch(notes);
        if (!log.isHeard()) {
            notes.leftOut(
                    Promise.LOG_EXPLAINED,
                    "the log was not listened to: it goes to "
                            + System.LoggerFinder.getLoggerFinder().getClass().getName());
        }
    }

    /** Lives begin: the longest is this long, and their memory changes, for they keep the past or others come and go; or it does not. */
    void begin(double seconds, boolean changes) {
        heapInLife = new Series();
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

    /** Several times a second, with the ticks of all services. */
    void look(long ticks) {
        checkLog();
        long nowNanos = System.nanoTime();
        if (nowNanos - nextSampleNanos < 0 || ticks < FULL_TICKS) {
            return;
        }
        notes.finding("some ticks are late because the run collects the whole heap to measure it");
        heapInLife.add((double) ticks, process.collected().heapAfterGcBytes());
        long tookNanos = System.nanoTime() - nowNanos;
        nextSampleNanos = nowNanos + Math.max(sampleEveryNanos, RUNS_PER_COLLECTION * tookNanos);
        heapInLife.check(trial, Growth.HEAP, "the heap", "tick");
    }

    /** What the process has now. */
    Sample sample() {
        return process.sample();
    }

    private void checkLog() {
        List<String> lines = log.unexplained();
        for (String line : lines.subList(linesBefore, lines.size())) {
            trial.check(Promise.LOG_EXPLAINED).broken(line);
        }
        if (log.isHeard() && lines.size() == linesBefore) {
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
        List<String> others = process.othersMore();
        if (!others.isEmpty()) {
            notes.finding("there are more threads of the world's own code than in the lives before: " + others);
        }
        ends++;
        if (ends == BASE) {
            process.setBase();
        } else if (ends > BASE && process.sample().handles() > 0) {
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
            Thread thread = new Thread(LockSupport::park, "soak-planted");
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

    /** Says what was not judged, lets the log be heard again, and ends what was planted. */
    @Override
    public void close() {
        if (trial.check(Promise.MEMORY_FLAT).checked() == 0) {
            notes.leftOut(
                    Promise.MEMORY_FLAT,
                    "it needs " + Growth.LEAST_SAMPLES + " samples; a longer life, or as many lives, have them");
        }
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
