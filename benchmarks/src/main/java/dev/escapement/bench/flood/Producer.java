package dev.escapement.bench.flood;

import dev.escapement.state.time.NanoClock;
import dev.escapement.state.time.Pacer;
import dev.escapement.state.time.Pacing;
import dev.escapement.state.time.Waiting;
import java.util.concurrent.TimeUnit;

/**
 * Offers events at a rate of its own, and counts what it was told. It wakes a thousand times a second and offers what is due by
 * then, each event stamped when it is offered: so its stamps never fall. What was refused is not offered again: its number is passed
 * over, its place goes to the next.
 *
 * <p>One thread. Whoever has seen that thread end may read the counts. Allocates nothing while it offers.
 */
final class Producer {

    private static final long NANOS_PER_SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long WAKE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final int index;
    private final long perSecond;
    private final long offers;
    private final InputGate gate;
    private final NanoClock clock;
    private final Pacer pacer;
    private long offered;
    private long accepted;
    private long hashSum;
    private long endedNanos;

    /**
     * Describes a producer.
     *
     * @param index     which one, below {@link EventTag#PRODUCERS}
     * @param perSecond how many events it offers a second, if the machine can
     * @param offers    how many it offers in all
     * @param gate      where to
     * @param clock     what stamps and pace are read from
     * @param waiting   how time is passed
     */
    Producer(int index, long perSecond, long offers, InputGate gate, NanoClock clock, Waiting waiting) {
        this.index = index;
        this.perSecond = perSecond;
        this.offers = offers;
        this.gate = gate;
        this.clock = clock;
        // Four that spin would take the cores from the thread they are to flood.
        pacer = new Pacer(clock, waiting, Pacing.PARK_ONLY);
    }

    /** Offers everything, from an instant of the clock on. */
    void run(long originNanos) {
        while (offered < offers && pacer.awaitUntil(clock.nanoTime() + WAKE_NANOS)) {
            long due = Math.min(offers, dueAfter(clock.nanoTime() - originNanos));
            while (offered < due) {
                offerNext();
            }
        }
        endedNanos = clock.nanoTime();
    }

    /** Ends it at its next wake-up. Any thread may call this. */
    void cancel() {
        pacer.cancel();
    }

    long offered() {
        return offered;
    }

    long accepted() {
        return accepted;
    }

    long refused() {
        return offered - accepted;
    }

    /** Over what was accepted. */
    long hashSum() {
        return hashSum;
    }

    /** When it had offered everything. */
    long endedNanos() {
        return endedNanos;
    }

    private void offerNext() {
        long nanos = clock.nanoTime();
        long number = offered++;
        long place = accepted;
        int code = EventTag.code(index, number, place);
        if (gate.offer(nanos, code, EventTag.x(number), EventTag.y(place))) {
            accepted++;
            hashSum += EventTag.hash(nanos, number, place);
        }
    }

    private long dueAfter(long nanos) {
        return nanos / NANOS_PER_SECOND * perSecond + nanos % NANOS_PER_SECOND * perSecond / NANOS_PER_SECOND;
    }
}
