package dev.escapement.platform.linux;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;

/** Keeps the JVM's pauses and the time stolen by a hypervisor, which only Linux counts, for half a minute. Any thread. */
final class LinuxCounts {

    private static final long KEPT_NANOS = TimeUnit.SECONDS.toNanos(30);
    private static final long PROCESSOR_TICK_NANOS = 10_000_000; // the unit of /proc/stat on all architectures
    /** The column of stolen time in the first line of /proc/stat. Column 0 is the name "cpu". */
    private static final int STOLEN = 8;

    /** A stretch of time, and the part of its stolen time that no tick was charged for yet. */
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
            return Math.max(0, Math.min(to - otherFrom, otherTo - otherFrom) - Math.max(0, from - otherFrom));
        }
    }

    private final Path proc;
    private final Deque<Span> pauses = new ArrayDeque<>();
    private final Deque<Span> stolen = new ArrayDeque<>();
    private long stolenNanos = -1;
    private long lookedNanos;

    /** Reads the folder {@code /proc}, or another one like it. Counts nothing if the folder is absent. */
    LinuxCounts(Path proc) {
        this.proc = proc;
    }

    synchronized void paused(long fromNanos, long toNanos) {
        pauses.add(new Span(fromNanos, toNanos, 0));
    }

    /** Reads the stolen time since the last call. Allocates. */
    synchronized void look(long nowNanos) {
        long now = stolenNanos();
        if (stolenNanos >= 0 && now > stolenNanos) {
            stolen(lookedNanos, nowNanos, now - stolenNanos);
        }
        stolenNanos = now;
        lookedNanos = nowNanos;
        removeOld(pauses);
        removeOld(stolen);
    }

    synchronized void stolen(long fromNanos, long toNanos, long nanos) {
        stolen.add(new Span(fromNanos, toNanos, nanos));
    }

    /** Returns the stolen time since the machine started; -1 if unknown. */
    private long stolenNanos() {
        try (BufferedReader lines = Files.newBufferedReader(proc.resolve("stat"))) {
            String[] numbers = String.valueOf(lines.readLine()).split(" +", -1);
            return numbers.length > STOLEN ? Long.parseLong(numbers[STOLEN]) * PROCESSOR_TICK_NANOS : -1;
        } catch (IOException absent) {
            return -1;
        }
    }

    private void removeOld(Deque<Span> spans) {
        while (!spans.isEmpty() && lookedNanos - spans.getFirst().to > KEPT_NANOS) {
            spans.remove();
        }
    }

    synchronized long pausedNanos(long fromNanos, long toNanos) {
        return pauses.stream()
                .mapToLong(pause -> pause.overlap(fromNanos, toNanos))
                .sum();
    }

    /** Takes the stolen time between two instants, at most {@code maxNanos}. No later call returns the same time. */
    synchronized long takeStolenNanos(long fromNanos, long toNanos, long maxNanos) {
        long taken = 0;
        for (Span span : stolen) {
            long more = Math.min(Math.min(span.left, span.overlap(fromNanos, toNanos)), maxNanos - taken);
            span.left -= Math.max(0, more);
            taken += Math.max(0, more);
        }
        return taken;
    }
}
