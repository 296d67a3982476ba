package dev.escapement.platform.linux;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/**
 * What is counted for this machine: pauses of the JVM as they are told, and what Linux says in {@code /proc}; elsewhere that is nothing. Any
 * thread.
 */
final class LinuxCounts implements MachineCounts {

    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long PROCESSOR_TICK_NANOS = 10_000_000; // of /proc/stat, on all architectures of today
    private static final int STOLEN = 8; // of the first line of /proc/stat, after its name
    private static final int POLICY = 38; // of a thread's stat, after its name
    private static final String FIFO = "1";
    private static final String ROUND_ROBIN = "2";

    /** A part of the time, and how much of it was taken. */
    private static final class Span {
        private final long from;
        private final long to;
        private long left;

        Span(long from, long to, long left) {
            this.from = from;
            this.to = to;
            this.left = left;
        }

        long overlap(long otherFrom, long otherTo) {
            return Math.max(0, Math.min(to, otherTo) - Math.max(from, otherFrom));
        }
    }

    private final Path proc;
    private final Deque<Span> pauses = new ArrayDeque<>();
    private final Deque<Span> stolen = new ArrayDeque<>();
    private long stolenNanos = -1;
    private long lookedNanos;
    private long throttledNanos;

    /** Reads the folder {@code /proc}, or another one like it; one that is absent counts nothing. */
    LinuxCounts(Path proc) {
        this.proc = proc;
    }

    private String read(String file) {
        try {
            return Files.readString(proc.resolve(file));
        } catch (IOException absent) {
            return "";
        }
    }

    /** Adds a pause of the JVM. */
    synchronized void paused(long fromNanos, long toNanos) {
        pauses.add(new Span(fromNanos, toNanos, 0));
    }

    /** Reads what a hypervisor took since the last call. Allocates. */
    synchronized void look(long nowNanos) {
        String[] numbers = read("stat").lines().findFirst().orElse("").split(" +", -1);
        long now = numbers.length > STOLEN ? Long.parseLong(numbers[STOLEN]) * PROCESSOR_TICK_NANOS : -1;
        if (stolenNanos >= 0 && now > stolenNanos) {
            stolen.add(new Span(lookedNanos, nowNanos, now - stolenNanos));
        }
        stolenNanos = now;
        lookedNanos = nowNanos;
        removeOld(pauses);
        removeOld(stolen);
    }

    private void removeOld(Deque<Span> spans) {
        while (!spans.isEmpty() && lookedNanos - spans.getFirst().to > KEPT_NANOS) {
            spans.remove();
        }
    }

    /** Finds out whether a thread of this process has real-time priority, and what the kernel then leaves to others. Allocates. */
    synchronized void lookForRealTime() {
        throttledNanos = 0;
        if (hasRealTimeThread()) {
            long runtime = number("sys/kernel/sched_rt_runtime_us");
            long period = number("sys/kernel/sched_rt_period_us");
            if (runtime >= 0 && period > runtime) { // -1 is no limit
                throttledNanos = TimeUnit.SECONDS.toNanos(1) / period * (period - runtime);
            }
        }
    }

    private long number(String file) {
        String text = read(file).strip();
        return text.isEmpty() ? -1 : Long.parseLong(text);
    }

    private boolean hasRealTimeThread() {
        try (DirectoryStream<Path> all = Files.newDirectoryStream(proc.resolve("self/task"))) {
            for (Path thread : all) {
                String stat = Files.readString(thread.resolve("stat"));
                String[] fields =
                        stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
                if (fields.length > POLICY && (fields[POLICY].equals(FIFO) || fields[POLICY].equals(ROUND_ROBIN))) {
                    return true;
                }
            }
        } catch (IOException notLinux) {
            return false; // or a thread has ended meanwhile: looked for again in a second
        }
        return false;
    }

    @Override
    public synchronized long pausedNanos(long fromNanos, long toNanos) {
        return pauses.stream()
                .mapToLong(pause -> pause.overlap(fromNanos, toNanos))
                .sum();
    }

    @Override
    public synchronized long takeStolenNanos(long fromNanos, long toNanos, long maxNanos) {
        long taken = 0;
        for (Span span : stolen) {
            long more = Math.min(Math.min(span.left, span.overlap(fromNanos, toNanos)), maxNanos - taken);
            span.left -= Math.max(0, more);
            taken += Math.max(0, more);
        }
        return taken;
    }

    @Override
    public synchronized long throttledNanos() {
        return throttledNanos;
    }
}
