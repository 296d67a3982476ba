package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.measure.Check;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Tick;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * What producers have offered and what of it has arrived, checked against what was promised: within a tick the events stand in the
 * order of their times, ties in the order of their sequence; and when all is over, what the producers were told, what the ring counted
 * and what arrived add up, event by event. Where in its tick an event stands is proved without threads: {@code TickInputTest}. Events of
 * other kinds than {@link InputKind#APPLICATION} are ignored.
 *
 * <p>The thread that ticks, or the one that goes on after it, calls what arrives. Allocates nothing.
 */
final class InputLedger {

    /** What a scenario with a ledger states. */
    static final Set<Promise> PROMISES = Set.of(Promise.INPUT_ONCE, Promise.INPUT_ORDER, Promise.INPUT_SUMS);

    private final List<NumberedProducer> producers;
    private int maxInATick;
    private long disordered;
    private long altered;

    // Written by the thread that ticks alone; release, so that a thread that waits for an event, acquire, sees what was
    // checked.
    private final AtomicLong arrived = new AtomicLong();

    /**
     * What a ring and its service counted themselves.
     *
     * @param accepted events the ring accepted
     * @param rejected events it refused
     * @param pending  events that reached no tick, or were dropped while time stood still
     */
    record RingCounts(long accepted, long rejected, long pending) {

        /** Of a service that was closed. */
        static RingCounts of(PhysicsService closed) {
            return new RingCounts(
                    closed.input().accepted(),
                    closed.input().rejected(),
                    closed.pendingInputs() + closed.input().droppedWhilePaused());
        }
    }

    /**
     * What was found broken.
     *
     * @param lost        events that later ones of their producer went past, and that never arrived
     * @param doubled     events that arrived again
     * @param reordered   events that arrived after later ones of their producer
     * @param disordered  events that stood before another in their tick which they should follow
     * @param altered     events that arrived with other contents, and events of no producer
     * @param unaccounted by how many events what the producers counted, what the ring counted and what arrived do not add up
     */
    record Findings(long lost, long doubled, long reordered, long disordered, long altered, long unaccounted) {}

    /** A ledger for this many producers, whose stamps arrive as they are, or of another clock; the fault is that planted at the time. */
    InputLedger(int producers, boolean keepsStamps, Supplier<InputFault> fault) {
        this.producers = IntStream.range(0, producers)
                .mapToObj(index -> new NumberedProducer(index, keepsStamps, fault))
                .toList();
    }

    NumberedProducer producer(int index) {
        return producers.get(index);
    }

    void arrive(Tick tick) {
        arrive(tick.input());
    }

    /** Takes the input of a tick, the one after the last that was taken. */
    void arrive(InputFrame input) {
        for (int i = 0; i < input.size(); i++) {
            InputEvent event = input.event(i);
            if (i > 0 && !follows(event, input.event(i - 1))) {
                disordered++;
            }
            arrive(event);
        }
        maxInATick = Math.max(maxInATick, input.size());
    }

    /** Takes an event wherever it belongs, as where time stands still. */
    void arrive(InputEvent event) {
        if (event.kind() != InputKind.APPLICATION) {
            return;
        }
        int index = NumberedProducer.producer(event.code());
        long place = NumberedProducer.place(event.code(), event.x());
        if (index >= producers.size() || event.y() != producers.get(index).y(event.timeNanos(), place)) {
            altered++;
            return;
        }
        producers.get(index).arrive(place);
        arrived.setRelease(arrived.getPlain() + 1);
    }

    private static boolean follows(InputEvent event, InputEvent before) {
        long laterNanos = event.timeNanos() - before.timeNanos();
        return laterNanos > 0 || (laterNanos == 0 && event.sequence() > before.sequence());
    }

    /** Compares what was offered with what arrived and what the ring and the service say, after all threads have ended. */
    Findings findings(RingCounts counts) {
        long onTheWay = sum(producer -> Math.max(0, producer.accepted - producer.arrived));
        long neverSent = sum(producer -> Math.max(0, producer.arrived - producer.accepted));
        long unaccounted = neverSent
                + Math.abs(onTheWay - counts.pending())
                + Math.abs(accepted() - counts.accepted())
                + Math.abs(offered() - accepted() - counts.rejected());
        return new Findings(
                sum(producer -> producer.lost),
                sum(producer -> producer.doubled),
                sum(producer -> producer.reordered),
                disordered,
                altered,
                unaccounted);
    }

    private long sum(ToLongFunction<NumberedProducer> count) {
        return producers.stream().mapToLong(count).sum();
    }

    /** Reports what was found to a trial, when nothing is offered any more. */
    void report(Trial trial, RingCounts counts) {
        Findings found = findings(counts);
        reportArrivals(trial, found);
        report(trial, Promise.INPUT_SUMS, found.altered() + found.unaccounted(), found);
    }

    /** Reports what was found of the events that arrived, and nothing of the others. */
    void reportArrivals(Trial trial, Findings found) {
        report(trial, Promise.INPUT_ONCE, found.lost() + found.doubled(), found);
        report(trial, Promise.INPUT_ORDER, found.reordered() + found.disordered(), found);
    }

    private void report(Trial trial, Promise promise, long broken, Findings found) {
        Check check = trial.check(promise);
        check.held(arrived());
        check.that(broken == 0, () -> broken + " times of " + arrived() + ": " + found);
    }

    /** How many events have arrived. Any thread. */
    long arrived() {
        return arrived.getAcquire();
    }

    /** How many were offered, by producers that have ended. */
    long offered() {
        return sum(producer -> producer.offered);
    }

    /** How many of them were accepted. */
    long accepted() {
        return sum(producer -> producer.accepted);
    }

    /** The most events of one tick. */
    int maxInATick() {
        return maxInATick;
    }
}
