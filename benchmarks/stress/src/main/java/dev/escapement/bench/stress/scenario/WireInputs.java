package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.Tick;
import dev.escapement.state.input.InputEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** What clients were told of their input, and what arrived at the worlds of one server after the other. */
final class WireInputs {

    /** A client keeps so many events at most, and the server's ring and its sampler have room for so many more. */
    private static final int MOST_WAITING = 1024 + 2 * WireServer.INPUTS;

    private final Trial trial;
    private final List<Producer> producers = new ArrayList<>();

    /** Which server runs, and how many events those before it may have taken with them. */
    private int server;

    private long mostLost;

    /** The events of one client. */
    final class Producer {
        final int code = producers.size();
        private final Set<Long> missing = new TreeSet<>();
        private long accepted;
        private long next = 1;
        private int of = server;

        long number() {
            return accepted + 1;
        }

        void accepted() {
            accepted++;
            trial.check(Promise.BOUNDED)
                    .that(accepted - next < MOST_WAITING, () -> accepted - next + " events of " + code + " wait");
        }

        private void arrive(long number) {
            if (of != server) { // an earlier one may have taken more, or less than was acknowledged
                check(Promise.INPUT_SUMS, number <= next + mostLost, number);
                of = server;
                next = number + 1;
                missing.clear();
            } else {
                check(Promise.INPUT_ONCE, number >= next || missing.contains(number), number);
                check(Promise.INPUT_ORDER, !missing.remove(number), number);
                for (long passed = next; passed < number; passed++) {
                    missing.add(passed);
                }
                next = Math.max(next, number + 1);
            }
        }

        private void check(Promise promise, boolean held, long number) {
            trial.check(promise)
                    .that(
                            held,
                            () -> "client " + code + ": event " + number + " came when " + next + " was the next, "
                                    + missing + " were missing");
        }

        /** All that was accepted must have arrived. */
        void checkEnd() {
            trial.check(Promise.INPUT_SUMS)
                    .that(
                            missing.isEmpty() && next == accepted + 1,
                            () -> "client " + code + ": " + accepted + " were accepted, " + (next - 1)
                                    + " arrived, but " + missing);
        }
    }

    WireInputs(Trial trial) {
        this.trial = trial;
    }

    Producer newProducer() {
        Producer producer = new Producer();
        producers.add(producer);
        return producer;
    }

    /** Another server begins; so many events were in the ring of the one before. */
    void beginServer(long inRing) {
        server++;
        mostLost += inRing;
    }

    void arrive(Tick tick) {
        for (int i = 0; i < tick.input().size(); i++) {
            arrive(tick.input().event(i));
        }
    }

    void arrive(InputEvent event) {
        producers.get(event.code()).arrive((long) event.x());
    }
}
