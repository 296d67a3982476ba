package dev.escapement.state.thread;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import org.jspecify.annotations.Nullable;

/**
 * Reads the times of the thread that creates this object.
 *
 * <p>Linux counts the waiting time ({@code schedstat}), the JVM the running time. The running time in {@code schedstat} would be up to one
 * tick of the kernel's clock old while the thread runs.
 */
final class SystemThreadTimes implements ThreadTimes {

    /**
     * The kernel's file about the thread that opens it, even if another thread reads it later. Its line has three numbers: nanoseconds on a
     * core, nanoseconds waiting for a core, time slices.
     */
    static final String SCHEDSTAT = "/proc/thread-self/schedstat";

    /** Loaded on first use, because loading takes tens of milliseconds. */
    private static final class Running {
        static final @Nullable ThreadMXBean THREADS = threads();

        /** Returns null if the JVM does not count, or on a Java runtime without the module {@code java.management}. */
        private static @Nullable ThreadMXBean threads() {
            try {
                ThreadMXBean threads = ManagementFactory.getThreadMXBean();
                return threads.isCurrentThreadCpuTimeSupported() ? threads : null;
            } catch (NoClassDefFoundError withoutManagement) {
                return null;
            }
        }
    }

    private final byte[] text = new byte[3 * (Long.toString(Long.MAX_VALUE).length() + 1)];
    private @Nullable RandomAccessFile schedstat;
    private long waitedNanos = NOT_COUNTED;

    SystemThreadTimes(String file) {
        try {
            schedstat = new RandomAccessFile(file, "r");
        } catch (IOException absent) {
            schedstat = null;
        }
    }

    @Override
    public long waitedNanos() {
        RandomAccessFile file = schedstat;
        if (file != null) {
            try {
                file.seek(0);
                waitedNanos = Math.max(waitedNanos, second(file.read(text)));
            } catch (IOException gone) {
                close(); // the thread has ended, or a sandbox forbids reading: keep the last number
            }
        }
        return waitedNanos;
    }

    /** The second number of the line; {@link #NOT_COUNTED} if there is none, or if the kernel counts nothing and writes zeros. */
    private long second(int length) {
        long value = 0;
        boolean isSecond = false;
        boolean isCounted = false;
        for (int i = 0; i < length; i++) {
            if (text[i] == ' ' && isSecond) {
                return isCounted ? value : NOT_COUNTED;
            } else if (text[i] == ' ') {
                isSecond = true;
                isCounted = value > 0;
                value = 0;
            } else {
                value = 10 * value + text[i] - '0';
            }
        }
        return NOT_COUNTED;
    }

    @Override
    public long ranNanos() {
        ThreadMXBean threads = Running.THREADS;
        return threads == null ? NOT_COUNTED : threads.getCurrentThreadCpuTime();
    }

    @Override
    public void close() {
        RandomAccessFile file = schedstat;
        schedstat = null;
        if (file != null) {
            try {
                file.close();
            } catch (IOException closed) {
                // harmless, because nothing was written to the file
            }
        }
    }
}
