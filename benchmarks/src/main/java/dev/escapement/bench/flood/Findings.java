package dev.escapement.bench.flood;

import java.util.List;

/**
 * What was found broken.
 *
 * @param lost        events that later ones of their producer went past, and that never arrived
 * @param doubled     events that arrived again
 * @param reordered   events that arrived after later ones of their producer
 * @param disordered  events that stood before another in their tick which they should follow
 * @param misplaced   events with a wrong offset, in a wrong tick, or wrongly called late
 * @param altered     producers whose events arrived with other contents, and events of no producer
 * @param unaccounted by how many events what the producers counted, what the ring counted and what arrived do not add up
 */
public record Findings(
        long lost, long doubled, long reordered, long disordered, long misplaced, long altered, long unaccounted) {

    /**
     * Compares what was offered with what arrived, after all threads have ended.
     *
     * @param producers what they were told
     * @param check     what arrived
     * @param counts    what the ring and the service say
     */
    static Findings of(List<Producer> producers, InputCheck check, RingCounts counts) {
        long lost = 0;
        long doubled = 0;
        long reordered = 0;
        long altered = check.foreign();
        long accepted = 0;
        long refused = 0;
        long onTheWay = 0;
        long neverSent = 0;
        for (int i = 0; i < producers.size(); i++) {
            Producer producer = producers.get(i);
            Arrivals arrivals = check.arrivals(i);
            lost += arrivals.lost();
            doubled += arrivals.doubled();
            reordered += arrivals.reordered();
            long open = producer.accepted() - arrivals.arrived();
            onTheWay += Math.max(0, open);
            neverSent += Math.max(0, -open);
            altered += open == 0 && producer.hashSum() != arrivals.hashSum() ? 1 : 0;
            accepted += producer.accepted();
            refused += producer.refused();
        }
        long unaccounted = neverSent
                + Math.abs(onTheWay - counts.pending() - counts.dropped())
                + Math.abs(accepted - counts.accepted())
                + Math.abs(refused - counts.rejected());
        return new Findings(lost, doubled, reordered, check.disordered(), check.misplaced(), altered, unaccounted);
    }

    /**
     * Whether all promises held.
     *
     * @return whether there is nothing of any of them
     */
    public boolean isClean() {
        return (lost | doubled | reordered | disordered | misplaced | altered | unaccounted) == 0;
    }
}
