package dev.escapement.bench.stress;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Compares offered and arriving events. Within a tick events are in the order of their times, ties in the order of their sequence; at the
 * end, the counts of producers, of the ring and of arrivals add up, event by event. Ignores events of other kinds than
 * {@link InputKind#APPLICATION}.
 *
 * <p>The thread that ticks, or its successor, adds arriving events. Allocates nothing until it reports.
 */
final class InputLedger {

    private final List<NumberedProducer> producers;
    private long disordered;

    /** Events that arrived with other contents, and events of no producer. */
    private long altered;

    // Written by the thread that ticks alone; release, so that a thread that waits for an event, acquire, sees the
    // results of its checks.
    private final AtomicLong arrived = new AtomicLong();

    /**
     * The counts of a ring and its service.
     *
     * @param accepted events the ring accepted
     * @param rejected events it refused
     * @param pending  events that reached no tick, or were dropped while time stood still
     */
    record RingCounts(long accepted, long rejected, long pending) {

        static RingCounts of(PhysicsService closed) {
            return new RingCounts(
                    closed.input().accepted(),
                    closed.input().rejected(),
                    closed.pendingInputs() + closed.input().droppedWhilePaused());
        }
    }

    /**
     * The violations.
     *
     * @param once  events that never arrived although later ones of their producer did, and events that arrived again
     * @param order events that arrived after later ones of their producer, or stood before others that they should follow in their tick
     * @param sums  events that are unlike those offered, and the difference between the counts of producers, ring and arrivals
     */
    record Findings(long once, long order, long sums) {}

    /** Makes a ledger of some producers, which break planted promises. */
    InputLedger(int producers, Predicate<Promise> isPlanted) {
        this.producers = IntStream.range(0, producers)
                .mapToObj(index -> new NumberedProducer(index, isPlanted))
                .toList();
    }

    NumberedProducer producer(int index) {
        return producers.get(index);
    }

    /** Adds the input of the next tick. */
    void arrive(Tick tick) {
        arrive(tick.input());
    }

    void arrive(InputFrame input) {
        for (int i = 0; i < input.size(); i++) {
            InputEvent event = input.event(i);
            disordered += i == 0 || follows(event, input.event(i - 1)) ? 0 : 1;
            arrive(event);
        }
    }

    void arrive(InputEvent event) {
        if (event.kind() != InputKind.APPLICATION) {
            return;
        }
        int index = NumberedProducer.producer(event.code());
        long place = NumberedProducer.place(event.code(), event.x());
        if (index >= producers.size() || event.y() != NumberedProducer.y(event.timeNanos(), place)) {
            altered++;
            return;
        }
        producers.get(index).arrive(place);
        arrived.setRelease(arrived.getPlain() + 1);
    }

    private static boolean follows(InputEvent event, InputEvent before) {
        long laterNanos = event.timeNanos() - before.timeNanos();
        boolean isOfSampler = event.sequence() < 0 && before.sequence() < 0; // no tick took them: they have no number
        return laterNanos > 0 || (laterNanos == 0 && (isOfSampler || event.sequence() > before.sequence()));
    }

    /** Compares offered events with arrivals and with the counts of the ring and the service, after all threads have ended. */
    Findings findings(RingCounts counts) {
        long onTheWay = sum(producer -> Math.max(0, producer.accepted - producer.arrived));
        long acceptedOfAll = sum(producer -> producer.accepted + producer.acceptedKeys);
        long neverSent = sum(producer -> Math.max(0, producer.arrived - producer.accepted));
        return new Findings(
                sum(producer -> producer.lost + producer.doubled),
                disordered + sum(producer -> producer.reordered),
                altered
                        + neverSent
                        + Math.abs(onTheWay - counts.pending())
                        + Math.abs(acceptedOfAll - counts.accepted())
                        + Math.abs(sum(producer -> producer.offered) - acceptedOfAll - counts.rejected()));
    }

    private long sum(ToLongFunction<NumberedProducer> count) {
        return producers.stream().mapToLong(count).sum();
    }

    /**
     * Reports the violations to a trial, after the last offer.
     *
     * @param addsUp whether the ring has only events of these producers, so that its counts are to add up
     */
    void report(Trial trial, RingCounts counts, boolean addsUp) {
        Findings found = findings(counts);
        report(trial.check(Promise.INPUT_ONCE), found.once(), found);
        report(trial.check(Promise.INPUT_ORDER), found.order(), found);
        if (addsUp) {
            report(trial.check(Promise.INPUT_SUMS), found.sums(), found);
        }
    }

    private void report(Check check, long broken, Findings found) {
        check.held(arrived());
        check.that(broken == 0, () -> broken + " times of " + arrived() + ": " + found);
    }

    long arrived() {
        return arrived.getAcquire();
    }

    /** Returns how many were accepted, of producers that have ended. */
    long accepted() {
        return sum(producer -> producer.accepted);
    }
}
