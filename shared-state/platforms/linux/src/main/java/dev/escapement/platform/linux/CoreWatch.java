package dev.escapement.platform.linux;

import dev.escapement.state.internal.ThreadEnd;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Watches whether the machine lets threads run: a thread on each core sleeps for a millisecond again and again, and reports how late it was
 * woken. Other programs, cores that a hypervisor has taken, collections and safepoints all count as late.
 *
 * <pre>{@code
 * try (CoreWatch watch = CoreWatch.start((core, nowNanos, lateNanos) -> {
 *     if (lateNanos > CoreWatch.AWAY_NANOS) {
 *         note(core, nowNanos - lateNanos, nowNanos);
 *     }
 * })) {
 *     work();
 * }
 * }</pre>
 *
 * <p>On Linux, with {@code taskset}, each thread stays on its core; elsewhere the system places them. Started and closed by one thread.
 */
public final class CoreWatch implements AutoCloseable {

    /** How long each thread sleeps, in nanoseconds. */
    public static final long REST_NANOS = 1_000_000;

    /** A wake-up that is later than this counts as time away from the core, in nanoseconds; busy healthy machines reach it. */
    public static final long AWAY_NANOS = 1_000_000;

    private static final long CLOSE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final String NAME = "witness-";

    private final List<Thread> threads = new ArrayList<>();

    // Both are read every millisecond, so their cost does not matter.
    private volatile boolean watching;
    private volatile boolean ending;

    /** Is notified when a watching thread was woken. */
    @FunctionalInterface
    public interface Listener {

        /**
         * Called on the thread of the core, about every millisecond.
         *
         * @param core      0 for the first
         * @param nowNanos  an instant of {@link System#nanoTime()}
         * @param lateNanos how much later than asked the thread was woken
         */
        void woken(int core, long nowNanos, long lateNanos);
    }

    private CoreWatch() {}

    /**
     * Starts to watch every core.
     *
     * @param listener is called by the threads
     * @return the watch, to be closed
     */
    public static CoreWatch start(Listener listener) {
        CoreWatch watch = new CoreWatch();
        for (int core = 0; core < Runtime.getRuntime().availableProcessors(); core++) {
            int watched = core;
            Thread thread = new Thread(() -> watch.run(watched, listener), NAME + core);
            thread.setDaemon(true);
            watch.threads.add(thread);
            thread.start();
        }
        pin();
        watch.watching = true; // not before: the programs that pin the threads take the cores, too
        return watch;
    }

    /**
     * Ends the threads. Idempotent.
     *
     * @throws IllegalStateException if a thread does not end, because its listener hangs
     */
    @Override
    public void close() {
        ending = true;
        for (Thread thread : threads) {
            if (!ThreadEnd.await(thread, CLOSE_NANOS)) {
                throw new IllegalStateException("thread " + thread.getName() + " does not end within "
                        + TimeUnit.NANOSECONDS.toSeconds(CLOSE_NANOS) + " s; its listener must return");
            }
        }
    }

    private void run(int core, Listener listener) {
        long lastNanos = System.nanoTime();
        while (!ending) {
            LockSupport.parkNanos(REST_NANOS);
            long nowNanos = System.nanoTime();
            if (watching) {
                listener.woken(core, nowNanos, nowNanos - lastNanos - REST_NANOS);
            }
            lastNanos = nowNanos;
        }
    }

    /** Pins the threads with {@code taskset}, by their native ids, because Java cannot. */
    private static void pin() {
        Path tasks = Path.of("/proc/self/task");
        if (!Files.isDirectory(tasks)) {
            return;
        }
        try (DirectoryStream<Path> all = Files.newDirectoryStream(tasks)) {
            for (Path thread : all) {
                String name = Files.readString(thread.resolve("comm")).strip();
                if (name.startsWith(NAME)) {
                    new ProcessBuilder("taskset", "-cp", name.substring(NAME.length()), "" + thread.getFileName())
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor();
                }
            }
        } catch (IOException notHere) {
            // no taskset: the system places them
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
