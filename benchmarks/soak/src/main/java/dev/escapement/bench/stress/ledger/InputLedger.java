package dev.escapement.bench.stress.ledger;

import dev.escapement.bench.stress.trial.Check;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;

/**
 * Compares offered and arriving events, and checks the promises: within a tick events are in the order of their times, ties in the order
 * of their sequence; at the end, the counts of producers, of the ring and of arrivals add up, event by event. {@code TickInputTest} tests
 * without threads where in its tick an event is. Events of other kinds than {@link InputKind#APPLICATION} are ignored.
 *
 * <p>The thread that ticks, or its successor, adds arriving events. Allocates nothing.
 */
public final class InputLedger {

    /** The promises of a scenario with a ledger. */
    public static final Set<Promise> PROMISES = Set.of(Promise.INPUT_ONCE, Promise.INPUT_ORDER, Promise.INPUT_SUMS);

    private final List<NumberedProducer> producers;
    private int maxInATick;
    private long disordered;
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
    public record RingCounts(long accepted, long rejected, long pending) {

        /** The counts of a closed service. */
        public static RingCounts of(PhysicsService closed) {
            return new RingCounts(
                    closed.input().accepted(),
                    closed.input().rejected(),
                    closed.pendingInputs() + closed.input().droppedWhilePaused());
        }
    }

    /**
     * The violations.
     *
     * @param lost        events that never arrived, although later ones of their producer did
     * @param doubled     events that arrived again
     * @param reordered   events that arrived after later ones of their producer
     * @param disordered  events that were before another in their tick which they should follow
     * @param altered     events that arrived with other contents, and events of no producer
     * @param unaccounted the difference between the counts of producers, of the ring and of arrivals, in events
     */
    public record Findings(long lost, long doubled, long reordered, long disordered, long altered, long unaccounted) {}

    /** A ledger for some producers; they break planted promises. */
    public InputLedger(int producers, Predicate<Promise> isPlanted) {
        this.producers = IntStream.range(0, producers)
                .mapToObj(index -> new NumberedProducer(index, isPlanted))
                .toList();
    }

    public NumberedProducer producer(int index) {
        return producers.get(index);
    }

    public void arrive(Tick tick) {
        arrive(tick.input());
    }

    /** Adds the input of the next tick. */
    public void arrive(InputFrame input) {
        for (int i = 0; i < input.size(); i++) {
            InputEvent event = input.event(i);
            if (i > 0 && !follows(event, input.event(i - 1))) {
                disordered++;
            }
            arrive(event);
        }
        maxInATick = Math.max(maxInATick, input.size());
    }

    /** Adds an event without a tick, as in a pause. */
    public void arrive(InputEvent event) {
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
        boolean isOfSampler =
                event.sequence() < 0 && before.sequence() < 0; // for what no tick took: they have no number
        return laterNanos > 0 || (laterNanos == 0 && (isOfSampler || event.sequence() > before.sequence()));
    }

    /** Compares offered events with arrivals and with the counts of the ring and the service, after all threads have ended. */
    public Findings findings(RingCounts counts) {
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

    /** Reports the violations to a trial, after the last offer. */
    public void report(Trial trial, RingCounts counts) {
        Findings found = findings(counts);
        reportArrivals(trial, found);
        report(trial, Promise.INPUT_SUMS, found.altered() + found.unaccounted(), found);
    }

    /** Reports the violations of arrived events only. */
    public void reportArrivals(Trial trial, Findings found) {
        report(trial, Promise.INPUT_ONCE, found.lost() + found.doubled(), found);
        report(trial, Promise.INPUT_ORDER, found.reordered() + found.disordered(), found);
    }

    private void report(Trial trial, Promise promise, long broken, Findings found) {
        Check check = trial.check(promise);
        check.held(arrived());
        check.that(broken == 0, () -> broken + " times of " + arrived() + ": " + found);
    }

    /** How many events have arrived. Any thread. */
    public long arrived() {
        return arrived.getAcquire();
    }

    /** How many were offered, by producers that have ended. */
    public long offered() {
        return sum(producer -> producer.offered);
    }

    /** How many of them were accepted. */
    public long accepted() {
        return sum(producer -> producer.accepted);
    }

    /** The maximum of events in one tick. */
    public int maxInATick() {
        return maxInATick;
    }
}
