package dev.escapement.bench.flood;

import dev.escapement.physics.PhysicsService;
import java.util.List;

/**
 * A flood that is over.
 *
 * @param capacity    how many events the ring holds
 * @param seconds     from the start of simulated time to the last producer's end
 * @param offered     events the producers offered
 * @param arrived     events that reached a tick
 * @param late        those of them that came after the tick they belonged to
 * @param ticks       how many ran
 * @param givenUp     ticks that were given up because others took too long
 * @param mostInATick the most events of one tick
 * @param counts      what the ring counted itself
 * @param findings    what was broken
 */
public record FloodResult(
        int capacity,
        double seconds,
        long offered,
        long arrived,
        long late,
        long ticks,
        long givenUp,
        int mostInATick,
        RingCounts counts,
        Findings findings) {

    /** After the service was closed and all producers have ended. */
    static FloodResult of(int capacity, PhysicsService closed, List<Producer> producers, InputCheck check) {
        long offered = 0;
        long arrived = 0;
        long nanos = 0;
        for (int i = 0; i < producers.size(); i++) {
            offered += producers.get(i).offered();
            arrived += check.arrivals(i).arrived();
            nanos = Math.max(nanos, producers.get(i).endedNanos() - closed.startedAtNanos());
        }
        RingCounts counts = RingCounts.of(closed);
        return new FloodResult(
                capacity,
                nanos / 1e9,
                offered,
                arrived,
                check.late(),
                check.ticks(),
                closed.givenUpTicks(),
                check.mostInATick(),
                counts,
                Findings.of(producers, check, counts));
    }

    /**
     * How fast the producers were.
     *
     * @return events a second, of all together
     */
    public double offeredPerSecond() {
        return offered / seconds;
    }
}
