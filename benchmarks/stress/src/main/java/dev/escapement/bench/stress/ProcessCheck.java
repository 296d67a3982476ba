package dev.escapement.bench.stress;

import dev.escapement.bench.stress.ProcessWatch.Sample;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Threads end, handles are closed, memory is flat: compares the process within a life, after each life with that after the second, and its
 * memory from life to life. The thread that runs.
 */
final class ProcessCheck {

    /** In a shorter life nothing grows by enough. */
    static final double GROWS_IN_SECONDS = 25;

    /** Before, rings and queues still fill up. */
    private static final long FULL_TICKS = 300;

    /** The first lives open the files of classes, and start what the world keeps: after the second everything is there. */
    private static final int BASE = 2;

    /** A verdict needs {@value Growth#LEAST_SAMPLES}. On a slow machine the first comes late; the rest are to be enough within a minute. */
    private static final int SAMPLES_IN_A_LIFE = 25;

    /** Samples of handles and threads: those of an hour would be a growth themselves. */
    private static final int MAX_SAMPLES = 60;

    /** A sample stops all threads for a collection: at most this part of the time, or a large heap would hardly tick. */
    private static final long RUNS_PER_COLLECTION = 10;

    private final Trial trial;
    private final Notes notes;
    private final Check memory;
    private final ProcessWatch process = new ProcessWatch();
    private final Growth heapOfLives = new Growth(Growth.MEGABYTE * 2, 0, "bytes of the heap after lives");
    private final Growth residentOfLives = Growth.resident();
    private Growth heapInLife = Growth.heap();
    private Growth handlesInLife = Growth.count("open files and sockets in a life");
    private Growth threadsInLife = Growth.count("threads of the library in a life");

    /** Threads and files that are planted as left. */
    private final List<Object> left = new ArrayList<>();

    private int seconds;
    private int secondsPerSample;
    private long nextSampleNanos;
    private long sampleEveryNanos;

    ProcessCheck(Trial trial, Notes notes) {
        this.trial = trial;
        this.notes = notes;
        memory = trial.check(Promise.MEMORY_FLAT);
    }

    /**
     * A life begins.
     *
     * @param longSeconds   how long it is to be
     * @param changes       whether its memory changes, because it keeps the past or other worlds come and go
     * @param hasNeighbours whether others come and go, of which some hang and keep their threads for a while
     */
    void begin(double longSeconds, boolean changes, boolean hasNeighbours) {
        heapInLife = Growth.heap();
        handlesInLife = Growth.count("open files and sockets in a life");
        threadsInLife = Growth.count("threads of the library in a life");
        seconds = 0;
        secondsPerSample = hasNeighbours ? Integer.MAX_VALUE : Math.max(1, (int) (longSeconds / MAX_SAMPLES));
        boolean isJudged = longSeconds >= GROWS_IN_SECONDS && !changes;
        sampleEveryNanos = isJudged ? (long) (longSeconds * 1e9 / SAMPLES_IN_A_LIFE) : Long.MAX_VALUE / 2;
        nextSampleNanos = System.nanoTime() + sampleEveryNanos;
    }

    /** Looks at the heap. Several times a second, with the ticks of the service; 0 while it ends. */
    void look(long ticks) {
        long nowNanos = System.nanoTime();
        if (nowNanos - nextSampleNanos >= 0 && ticks >= FULL_TICKS) {
            notes.finding("some ticks are late because the run collects the whole heap to measure it");
            heapInLife.add((double) ticks, process.collected().heapAfterGcBytes(), memory);
            long tookNanos = System.nanoTime() - nowNanos;
            nextSampleNanos = nowNanos + Math.max(sampleEveryNanos, RUNS_PER_COLLECTION * tookNanos);
        }
    }

    /** Looks at handles and threads. Once a second, with the ticks of the service; 0 while it ends. */
    void second(long ticks) {
        if (ticks >= FULL_TICKS && ++seconds % secondsPerSample == 0) {
            handlesInLife.add(seconds, process.handles(), trial.check(Promise.HANDLES_CLOSED));
            threadsInLife.add(seconds, ProcessWatch.ownThreads(), trial.check(Promise.THREADS_END));
        }
    }

    /** A life has ended; this is its number. */
    void end(int life) {
        plantLeft();
        List<String> threads = process.threadsLeft();
        trial.check(Promise.THREADS_END)
                .that(threads.isEmpty(), () -> "after life " + life + " there are still " + threads);
        Sample sample = process.collected();
        if (life == BASE) {
            process.setBase();
        } else if (life > BASE && sample.handles() > 0) {
            List<String> more = process.handlesMore();
            trial.check(Promise.HANDLES_CLOSED)
                    .that(
                            more.isEmpty(),
                            () -> "after life " + life + " there are more than after the second: " + more);
        }
        heapOfLives.add(life, sample.heapAfterGcBytes(), memory);
        residentOfLives.add(life, sample.residentBytes(), memory);
    }

    private void plantLeft() {
        if (trial.isPlanted(Promise.THREADS_END)) {
            Thread thread = new Thread(LockSupport::park, "soak-planted");
            thread.setDaemon(true);
            thread.start();
            left.add(thread);
        }
        if (trial.isPlanted(Promise.HANDLES_CLOSED)) {
            try {
                left.add(Files.newInputStream(Path.of(System.getProperty("java.home"), "release")));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Says what was not judged, and ends what was planted. After the last life. */
    void close() {
        if (memory.checked() == 0) {
            notes.leftOut(
                    Promise.MEMORY_FLAT,
                    "it needs " + Growth.LEAST_SAMPLES + " samples; a longer life, or as many lives, have them");
        }
        for (Object planted : left) {
            if (planted instanceof Thread thread) {
                LockSupport.unpark(thread);
            } else if (planted instanceof InputStream file) {
                try (file) {
                    // Only its end.
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            }
        }
    }
}
