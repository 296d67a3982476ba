package dev.escapement.bench.soak;

import dev.escapement.bench.soak.ProcessWatch.Sample;
import dev.escapement.bench.stress.trial.Check;
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
 * Compares what the process has: threads and handles within a life, and after each life with those after the second, memory within a life
 * and from life to life. The thread that runs.
 */
final class ProcessCheck implements AutoCloseable {

    /** In a shorter life nothing grows by enough. */
    static final double GROWS_IN_SECONDS = 25;

    /** Before, the page still fills up what it shows of the past. */
    private static final long FULL_TICKS = 150L * PageStorm.HISTORY_SECONDS;

    /** The first lives open the files of classes, and start what the world keeps: after the second everything is there. */
    private static final int BASE = 2;

    /** A verdict needs {@value Growth#LEAST_SAMPLES}. On a slow machine the first comes late; the rest are to be enough within a minute. */
    private static final int SAMPLES_IN_A_LIFE = 25;

    /** Of handles and threads: those of an hour would be a growth themselves. */
    private static final int MAX_SAMPLES = 60;

    /** A sample stops all threads for a collection: at most this part of the time, or a large heap would hardly tick. */
    private static final long RUNS_PER_COLLECTION = 10;

    private final Trial trial;
    private final Notes notes;
    private final ProcessWatch process = new ProcessWatch();
    private Series heapInLife;
    private Series handlesInLife;
    private Series threadsInLife;
    private final Series heapOfLives;
    private final Series residentOfLives;
    private final List<Closeable> left = new ArrayList<>();
    private int seconds;
    private int secondsPerSample;
    private long nextSampleNanos;
    private long sampleEveryNanos;

    /**
     * Samples of something that must not grow.
     *
     * @param check  which promise it breaks if it does
     * @param what   what is counted
     * @param unit   what the samples are taken by
     * @param at     when they were taken, in these units
     * @param counts the samples
     */
    private record Series(Check check, Growth growth, String what, String unit, List<Double> at, List<Double> counts) {

        /** Adds a sample, unless the system does not tell it, and checks whether they grow, once there are enough. */
        void add(double when, long count) {
            if (count <= 0) {
                return;
            }
            at.add(when);
            counts.add((double) count);
            if (isJudged()) {
                double[] samples =
                        counts.stream().mapToDouble(Double::doubleValue).toArray();
                growth.perUnit(at.stream().mapToDouble(Double::doubleValue).toArray(), samples)
                        .ifPresentOrElse(
                                perUnit -> check.broken(String.format(
                                        Locale.ROOT,
                                        "%s: %,.1f more a %s, from %,.0f to %,.0f in %,.0f of these",
                                        what,
                                        perUnit,
                                        unit,
                                        samples[0],
                                        samples[samples.length - 1],
                                        when - at.get(0))),
                                () -> check.held(1));
            }
        }

        boolean isJudged() {
            return at.size() >= Growth.LEAST_SAMPLES;
        }
    }

    private Series series(Promise promise, Growth growth, String what, String unit) {
        return new Series(trial.check(promise), growth, what, unit, new ArrayList<>(), new ArrayList<>());
    }

    ProcessCheck(Trial trial, Notes notes) {
        this.trial = trial;
        this.notes = notes;
        heapOfLives = series(Promise.MEMORY_FLAT, Growth.HEAP_OF_LIVES, "bytes of the heap after lives", "life");
        residentOfLives = series(
                Promise.MEMORY_FLAT,
                Growth.RESIDENT,
                "bytes of the process after lives, of which malloc, and some collectors, may keep more by themselves",
                "life");
        beginSeries();
    }

    private void beginSeries() {
        heapInLife = series(Promise.MEMORY_FLAT, Growth.HEAP, "bytes of the heap in a life", "tick");
        handlesInLife = series(Promise.HANDLES_CLOSED, Growth.COUNT, "open files and sockets in a life", "second");
        threadsInLife = series(Promise.THREADS_END, Growth.COUNT, "threads of the library in a life", "second");
    }

    /**
     * A life begins.
     *
     * @param longestSeconds how long it is to be
     * @param changes        whether its memory changes, because it keeps the past or other worlds come and go
     * @param hasNeighbours  whether others come and go, of which some hang and keep their threads for a while
     */
    void begin(double longestSeconds, boolean changes, boolean hasNeighbours) {
        beginSeries();
        seconds = 0;
        secondsPerSample = hasNeighbours ? Integer.MAX_VALUE : Math.max(1, (int) (longestSeconds / MAX_SAMPLES));
        boolean isJudged = longestSeconds >= GROWS_IN_SECONDS && !changes;
        sampleEveryNanos = isJudged ? (long) (longestSeconds * 1e9 / SAMPLES_IN_A_LIFE) : Long.MAX_VALUE / 2;
        nextSampleNanos = System.nanoTime() + sampleEveryNanos;
    }

    /** Several times a second, with the ticks of all services. */
    void look(long ticks) {
        long nowNanos = System.nanoTime();
        if (nowNanos - nextSampleNanos < 0 || ticks < FULL_TICKS) {
            return;
        }
        notes.finding("some ticks are late because the run collects the whole heap to measure it");
        heapInLife.add((double) ticks, process.collected().heapAfterGcBytes());
        long tookNanos = System.nanoTime() - nowNanos;
        nextSampleNanos = nowNanos + Math.max(sampleEveryNanos, RUNS_PER_COLLECTION * tookNanos);
    }

    /** Once a second: what the process has. {@code ticks} are those of all services; 0 while they begin and end. */
    Sample second(long ticks) {
        Sample sample = process.sample();
        if (ticks >= FULL_TICKS && ++seconds % secondsPerSample == 0) {
            handlesInLife.add(seconds, sample.handles());
            threadsInLife.add(seconds, ProcessWatch.ownThreads());
        }
        return sample;
    }

    /** A life has ended; this is its number. */
    void end(int life) {
        plantLeft();
        List<String> threads = process.threadsLeft();
        trial.check(Promise.THREADS_END)
                .that(threads.isEmpty(), () -> "after life " + life + " there are still " + threads);
        if (life == BASE) {
            process.setBase();
        } else if (life > BASE && process.sample().handles() > 0) {
            List<String> more = process.handlesMore();
            trial.check(Promise.HANDLES_CLOSED)
                    .that(
                            more.isEmpty(),
                            () -> "after life " + life + " there are more than after the second: " + more);
        }
        Sample sample = process.collected();
        heapOfLives.add(life, sample.heapAfterGcBytes());
        residentOfLives.add(life, sample.residentBytes());
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

    /** Says what was not judged, and ends what was planted. */
    @Override
    public void close() {
        if (trial.check(Promise.MEMORY_FLAT).checked() == 0) {
            notes.leftOut(
                    Promise.MEMORY_FLAT,
                    "it needs " + Growth.LEAST_SAMPLES + " samples; a longer life, or as many lives, have them");
        } else if (!residentOfLives.isJudged()) {
            notes.finding("the memory of the process was not judged beside its heap: that needs " + Growth.LEAST_SAMPLES
                    + " lives");
        }
        for (Closeable planted : left) {
            try {
                planted.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
