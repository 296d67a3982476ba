package dev.escapement.bench.stress;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Checks that threads end, handles are closed and memory is flat. Within a life it compares samples of the process. After each life it
 * compares the open handles with those after the second life, and the memory with that after the earlier lives. The thread of the run.
 */
final class ProcessCheck {

    /** Only in a life at least this long can growth of memory show. */
    static final double GROWS_IN_SECONDS = 25;

    /** After this many ticks, rings and queues have been full once, and no longer grow. */
    private static final long FULL_TICKS = 300;

    /** The life with whose end later lives are compared. Earlier lives still open class files, and start threads that the world keeps. */
    private static final int BASE = 2;

    /**
     * The number of heap samples in a life. {@value Growth#LEAST_SAMPLES} are enough for a verdict, so on a slow machine, where the first
     * sample comes late, a life of a minute still reaches one.
     */
    private static final int SAMPLES_IN_A_LIFE = 25;

    /** The maximum number of samples of handles and threads in a life. The memory of an hour's samples would itself look like growth. */
    private static final int MAX_SAMPLES = 60;

    /**
     * The minimum ratio of the time between two heap samples to the time of one. A sample stops all threads for a collection; with a large
     * heap, more samples would leave no time to tick.
     */
    private static final long RUNS_PER_COLLECTION = 10;

    /** How long a planted thread runs: longer than the check waits for threads to end. */
    private static final long PLANTED_NANOS = TimeUnit.SECONDS.toNanos(60);

    private final Trial trial;
    private final Check memory;
    private final OwnThreads threads = new OwnThreads();
    private final Growth heapOfLives = new Growth(Growth.MEGABYTE * 2, 0, "bytes of the heap after lives");
    private final Growth residentOfLives = Growth.resident();
    private Growth heapInLife = Growth.heap();
    private Growth handlesInLife = Growth.count("open files and sockets in a life");
    private Growth threadsInLife = Growth.count("threads of the library in a life");
    private List<String> filesAtBase = List.of();
    private int seconds;
    private int secondsPerSample;
    private long nextHeapNanos;
    private long heapEveryNanos;

    /** Files that a planted fault leaves open. The list references them, because the garbage collector would close them. */
    private final List<AutoCloseable> leftOpen = new ArrayList<>();

    ProcessCheck(Trial trial) {
        this.trial = trial;
        memory = trial.check(Promise.MEMORY_FLAT);
    }

    /**
     * Begins a life.
     *
     * @param longSeconds   the planned length of the life
     * @param changes       whether its memory is not flat, because it keeps the past or has other worlds that come and go
     * @param hasNeighbours whether other worlds come and go; some of them hang and keep their threads for a while
     */
    void begin(double longSeconds, boolean changes, boolean hasNeighbours) {
        heapInLife = Growth.heap();
        handlesInLife = Growth.count("open files and sockets in a life");
        threadsInLife = Growth.count("threads of the library in a life");
        seconds = 0;
        secondsPerSample = hasNeighbours ? Integer.MAX_VALUE : Math.max(1, (int) (longSeconds / MAX_SAMPLES));
        boolean isJudged = longSeconds >= GROWS_IN_SECONDS && !changes;
        heapEveryNanos = isJudged ? (long) (longSeconds * 1e9 / SAMPLES_IN_A_LIFE) : Long.MAX_VALUE / 2;
        nextHeapNanos = System.nanoTime() + heapEveryNanos;
    }

    /**
     * Samples the heap if it is time. Call it several times a second with the number of the service's ticks, or 0 while the service ends.
     */
    void look(long ticks) {
        long nowNanos = System.nanoTime();
        if (nowNanos - nextHeapNanos >= 0 && ticks >= FULL_TICKS) {
            trial.finding("some ticks are late because the run collects the whole heap to measure it");
            heapInLife.add((double) ticks, collectedHeapBytes(), memory);
            long tookNanos = System.nanoTime() - nowNanos;
            nextHeapNanos = nowNanos + Math.max(heapEveryNanos, RUNS_PER_COLLECTION * tookNanos);
        }
    }

    /**
     * Samples handles and threads if it is time. Call it once a second with the number of the service's ticks, or 0 while the service ends.
     */
    void second(long ticks) {
        if (ticks >= FULL_TICKS && ++seconds % secondsPerSample == 0) {
            handlesInLife.add(seconds, files().size(), trial.check(Promise.HANDLES_CLOSED));
            threadsInLife.add(seconds, threads.now().size(), trial.check(Promise.THREADS_END));
        }
    }

    void end(int life) {
        plantLeft();
        List<Thread> left = threads.left();
        trial.check(Promise.THREADS_END)
                .that(left.isEmpty(), () -> "after life " + life + " there are still " + Worker.stacks(left));
        heapOfLives.add(life, collectedHeapBytes(), memory);
        residentOfLives.add(life, residentBytes(), memory);
        List<String> files = life > BASE ? filesMore() : files();
        if (life == BASE) {
            filesAtBase = files;
        } else if (life > BASE && !filesAtBase.isEmpty()) {
            trial.check(Promise.HANDLES_CLOSED)
                    .that(
                            files.isEmpty(),
                            () -> "after life " + life + " there are more than after the second: " + files);
        }
    }

    private void plantLeft() {
        if (trial.isPlanted(Promise.THREADS_END)) {
            Thread thread = new Thread(() -> Polling.pass(PLANTED_NANOS), "soak-left");
            thread.setDaemon(true);
            thread.start();
        }
        if (trial.isPlanted(Promise.HANDLES_CLOSED)) {
            try {
                leftOpen.add(Files.newInputStream(Path.of(System.getProperty("java.home"), "release")));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Returns the used bytes of the heap after a full collection, which stops all threads; 0 if the JVM ignores the request to collect. */
    static long collectedHeapBytes() {
        long before = collections();
        System.gc();
        boolean isCollected =
                collections() > before; // false with -XX:+DisableExplicitGC, or a collector that collects nothing
        return isCollected
                ? ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
                : 0;
    }

    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }

    private static long residentBytes() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .findFirst()
                    .orElse(0);
        } catch (IOException notTold) {
            return 0;
        }
    }

    /**
     * Returns the files and sockets that are open now but were not after the base life. Waits some time for them to be closed. Call it
     * between two lives.
     */
    private List<String> filesMore() {
        Polling.await(OwnThreads.END_NANOS, () -> files().size() <= filesAtBase.size());
        List<String> more = files();
        if (more.size() <= filesAtBase.size()) {
            return List.of();
        }
        filesAtBase.forEach(more::remove); // one by one, because a file may be open twice
        // The JDK's flight recorder, which measures pauses, closes its files late.
        more.removeIf(file -> file.contains(".jfr"));
        return more;
    }

    private static List<String> files() {
        List<String> files = new ArrayList<>();
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            for (Path file : all.toList()) {
                files.add(target(file));
            }
        } catch (IOException notTold) {
            files.clear();
        }
        return files;
    }

    private static String target(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException e) {
            return "closed meanwhile"; // for example, the handle that lists the files
        }
    }
}
