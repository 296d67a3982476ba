package dev.escapement.bench.soak;

import com.sun.management.UnixOperatingSystemMXBean;
import dev.escapement.bench.stress.ledger.Polling;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.DirectoryStream;
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

/** What this process has: threads, open files and sockets, memory. The thread that makes it. */
final class ProcessWatch {

    private static final Path FILES = Path.of("/proc/self/fd");
    private static final Path STATUS = Path.of("/proc/self/status");

    /** On a busy machine a thread that has nothing left to do needs a core to end. */
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Threads of the library and of the storm: each of them has to end. */
    private static final Pattern OURS = Pattern.compile("(escapement|storm|soak)-.*");

    /** How long what is about to end may take. */
    private final long endNanos;

    private final Set<Thread> before = Collections.newSetFromMap(new WeakHashMap<>());
    private long handlesAtBase = Long.MAX_VALUE;
    private List<String> filesAtBase = List.of();
    private long heapBytes;

    /** Begins to watch: threads that are there now are not left by others. */
    ProcessWatch() {
        this(END_NANOS);
    }

    /** Tests, which know what ends, wait less. */
    ProcessWatch(long endNanos) {
        this.endNanos = endNanos;
        before.addAll(Thread.getAllStackTraces().keySet());
    }

    /** Makes the open files and sockets the base of later comparisons. */
    void setBase() {
        handlesAtBase = handles();
        filesAtBase = files();
    }

    /**
     * What the process has.
     *
     * @param threads          of Java
     * @param handles          open files and sockets; 0 where the system does not tell
     * @param heapAfterGcBytes the heap after the last collection that {@link #collected()} has asked for; 0 before, and if the JVM ignores it
     * @param residentBytes    the memory of the process; 0 where the system does not tell
     */
    record Sample(int threads, long handles, long heapAfterGcBytes, long residentBytes) {}

    /** {@return what the process has now} */
    Sample sample() {
        return new Sample(ManagementFactory.getThreadMXBean().getThreadCount(), handles(), heapBytes, residentBytes());
    }

    /** {@return what the process has after a full collection, which stops all its threads} */
    Sample collected() {
        long before = collections();
        System.gc();
        if (collections() > before) { // else -XX:+DisableExplicitGC, or a collector that collects nothing
            heapBytes = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        }
        return sample();
    }

    private static long collections() {
        return ManagementFactory.getGarbageCollectorMXBeans().stream()
                .mapToLong(GarbageCollectorMXBean::getCollectionCount)
                .sum();
    }

    private static long handles() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? unix.getOpenFileDescriptorCount()
                : 0;
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

    /** {@return how many threads of the library and of the storm there are} */
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

    /** {@return our own threads that have come since the watch began and do not end within some time, with their stacks} */
    List<String> threadsLeft() {
        Polling.await(endNanos, () -> ours().findAny().isEmpty());
        return ours().map(thread -> thread + " at " + Arrays.toString(thread.getStackTrace()))
                .toList();
    }

    private static boolean isOurs(Thread thread) {
        return OURS.matcher(thread.getName()).matches();
    }

    private Stream<Thread> ours() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> !before.contains(thread) && isOurs(thread));
    }

    /**
     * {@return the handles that there are more than at the base, after waiting some time for them to be closed: what they are, where the
     * system tells, else how many} Call it between two lives.
     */
    List<String> handlesMore() {
        if (Polling.await(endNanos, () -> handles() <= handlesAtBase)) {
            return List.of();
        }
        List<String> more = new ArrayList<>(files());
        filesAtBase.forEach(more::remove); // each once
        int before = more.size();
        more.removeIf(file ->
                file.contains(".jfr")); // the JDK's recorder, from which pauses are read, closes its parts later
        if (more.isEmpty() && handles() - handlesAtBase <= before) {
            return List.of();
        }
        return more.isEmpty() ? List.of(handles() - handlesAtBase + " that are not known") : more;
    }

    /** What the handles of this process are; empty where the system does not tell. */
    private static List<String> files() {
        List<String> files = new ArrayList<>();
        try (DirectoryStream<Path> all = Files.newDirectoryStream(FILES)) {
            for (Path file : all) {
                files.add(Files.readSymbolicLink(file).toString());
            }
        } catch (IOException e) {
            // Not told, or one was closed meanwhile: those before it are enough for a message.
        }
        return files;
    }
}
