package dev.escapement.bench.stress;

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The threads, open files and sockets, and memory of this process. The thread that makes it. */
final class ProcessWatch {

    private static final Path FILES = Path.of("/proc/self/fd");
    private static final Path STATUS = Path.of("/proc/self/status");

    /** On a busy machine a thread that has nothing left to do needs a core to end. */
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Threads of the library and of the storm: each of them has to end. */
    private static final Pattern OURS = Pattern.compile("(escapement|storm|soak)-.*");

    private final Set<Thread> before = Collections.newSetFromMap(new WeakHashMap<>());
    private List<String> filesAtBase = List.of();

    /** Begins to watch: threads that are there now are not left by others. */
    ProcessWatch() {
        before.addAll(Thread.getAllStackTraces().keySet());
    }

    /** Makes the open files and sockets the base of later comparisons. */
    void setBase() {
        filesAtBase = files();
    }

    /** Returns how many open files and sockets there are; 0 where the system does not tell. */
    int handles() {
        return files().size();
    }

    /**
     * What the process has after a collection.
     *
     * @param handles          open files and sockets; 0 where the system does not tell
     * @param heapAfterGcBytes the heap; 0 if the JVM ignores the request for a collection
     * @param residentBytes    the memory of the process; 0 where the system does not tell
     */
    record Sample(long handles, long heapAfterGcBytes, long residentBytes) {}

    /** Returns what the process has after a full collection, which stops all its threads. */
    Sample collected() {
        long before = collections();
        System.gc();
        boolean isCollected =
                collections() > before; // not by -XX:+DisableExplicitGC, or a collector that collects nothing
        long heapBytes = isCollected
                ? ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed()
                : 0;
        return new Sample(handles(), heapBytes, residentBytes());
    }

    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }

    private static long residentBytes() {
        try (Stream<String> lines = Files.lines(STATUS)) {
            return lines.filter(line -> line.startsWith("VmRSS:"))
                    .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                    .findFirst()
                    .orElse(0);
        } catch (IOException notTold) {
            return 0;
        }
    }

    /** Returns how many threads of the library and of the storm there are. */
    static int ownThreads() {
        ThreadGroup all = Thread.currentThread().getThreadGroup();
        while (all.getParent() != null) {
            all = all.getParent();
        }
        Thread[] threads = new Thread[2 * all.activeCount()];
        int count = all.enumerate(threads); // without stacks, for which all would stop
        return (int)
                Arrays.stream(threads, 0, count).filter(ProcessWatch::isOurs).count();
    }

    /** Returns our own threads that have come since the watch began and do not end within some time, with their stacks. */
    List<String> threadsLeft() {
        Polling.await(END_NANOS, () -> ours().findAny().isEmpty());
        return ours().map(thread -> thread + " at " + Arrays.toString(thread.getStackTrace()))
                .toList();
    }

    private Stream<Thread> ours() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread) && isOurs(thread));
    }

    private static boolean isOurs(Thread thread) {
        return OURS.matcher(thread.getName()).matches();
    }

    /**
     * Returns the handles that there are more than at the base, after waiting some time for them to be closed. Call it between two lives.
     */
    List<String> handlesMore() {
        Polling.await(END_NANOS, () -> files().size() <= filesAtBase.size());
        List<String> more = files();
        if (more.size() <= filesAtBase.size()) {
            return List.of();
        }
        filesAtBase.forEach(more::remove); // each once
        more.removeIf(file ->
                file.contains(".jfr")); // the JDK's recorder, from which pauses are read, closes its parts later
        return more;
    }

    /** Returns what the handles of this process are; empty where the system does not tell. */
    private static List<String> files() {
        List<String> files = new ArrayList<>();
        try (Stream<Path> all = Files.list(FILES)) {
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
            return "closed meanwhile"; // such as the handle that lists them
        }
    }
}
