package dev.escapement.platform.linux;

/** What is counted for the machine and for the JVM. Instants are of {@link System#nanoTime()}. One thread. Tests replace it. */
interface MachineCounts {

    /** How long the JVM had stopped its threads between two instants. */
    long pausedNanos(long fromNanos, long toNanos);

    /**
     * How much of the processor time that a hypervisor took around a time is left, at most {@code maxNanos}. Takes it: it is not given twice.
     */
    long takeStolenNanos(long fromNanos, long toNanos, long maxNanos);
}
