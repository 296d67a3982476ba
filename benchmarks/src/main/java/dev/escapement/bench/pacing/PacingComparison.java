package dev.escapement.bench.pacing;

import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Rounds in which every contestant has its turn once, in an order that moves on by one from round to round, so that whatever
 * happens to the machine meanwhile happens to all.
 */
final class PacingComparison {

    private final List<Contestant> contestants;

    PacingComparison(List<Contestant> contestants) {
        this.contestants = List.copyOf(contestants);
    }

    /**
     * Runs them all.
     *
     * @param rate     how often all of them tick
     * @param rounds   how often each has its turn
     * @param seconds  how long a turn is
     * @param progress told after every turn
     */
    Rounds run(TickRate rate, int rounds, int seconds, Runnable progress) throws InterruptedException {
        Rounds results = new Rounds();
        for (int round = 0; round < rounds; round++) {
            for (Contestant contestant : order(round)) {
                results.add(contestant, contestant.create().tickFor(rate, seconds));
                progress.run();
            }
        }
        return results;
    }

    List<Contestant> order(int round) {
        List<Contestant> order = new ArrayList<>(contestants);
        Collections.rotate(order, -round);
        return order;
    }
}
