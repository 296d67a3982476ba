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
import java.util.stream.IntStream;

/**
 * What producers have offered and what of it has arrived, checked against what was promised: within a tick the events stand in the
 * order of their times, ties in the order of their sequence; none comes before its time; late is what happened up to the tick before;
 * where in the tick each happened is exact to the nanosecond; and when all is over, what the producers were told, what the ring counted
 * and what arrived add up, event by event. Events of other kinds than {@link InputKind#APPLICATION} are ignored.
 *
 * <p>The thread that ticks, or the one that goes on after it, calls what arrives. Allocates nothing. Places in ticks are checked for
 * ticks of one length whose time never stands still; otherwise they are not to be asked for.
 */
public final class InputLedger {

    /** What a scenario with a ledger states. */
    static final Set<Promise> PROMISES = Set.of(Promise.INPUT_ONCE, Promise.INPUT_ORDER, Promise.INPUT_SUMS);

    private final List<NumberedProducer> producers;
    private final List<Arrivals> arrivals;
    private final long periodNanos;
    private final Supplier<InputFault> fault;
    private long previousDueNanos;
    private long ticks;
    private int mostInATick;
    private long late;
    private long disordered;
    private long misplaced;
    private long altered;

    // Written by the thread that ticks alone; release, so that a thread that waits for an event, acquire, sees what was
    // checked.
    private final AtomicLong arrived = new AtomicLong();

    /** What has arrived of one producer: its places one after the other. */
    private static final class Arrivals {
        private long nextPlace;
        private long arrived;
        private long lost;
        private long doubled;
        private long reordered;

        private void add(long place) {
            arrived++;
            if (place >= nextPlace) {
                lost += place - nextPlace;
                nextPlace = place + 1;
            } else if (place == nextPlace - 1) {
                doubled++;
            } else { // it was passed over, or comes again much later
                lost--;
                reordered++;
            }
        }
    }

    /**
     * What a ring and its service counted themselves.
     *
     * @param accepted events the ring accepted
     * @param rejected events it refused
     * @param pending  events that reached no tick
     * @param dropped  events that were dropped while time stood still
     */
    public record RingCounts(long accepted, long rejected, long pending, long dropped) {

        /** Of a service that was closed. */
        public static RingCounts of(PhysicsService closed) {
            return new RingCounts(
                    closed.input().accepted(),
                    closed.input().rejected(),
                    closed.pendingInputs(),
                    closed.input().droppedWhilePaused());
        }
    }

    /**
     * What was found broken.
     *
     * @param lost        events that later ones of their producer went past, and that never arrived
     * @param doubled     events that arrived again
     * @param reordered   events that arrived after later ones of their producer
     * @param disordered  events that stood before another in their tick which they should follow
     * @param misplaced   events with a wrong offset, in a wrong tick, or wrongly called late
     * @param altered     events that arrived with other contents, and events of no producer
     * @param unaccounted by how many events what the producers counted, what the ring counted and what arrived do not add up
     */
    public record Findings(
            long lost, long doubled, long reordered, long disordered, long misplaced, long altered, long unaccounted) {

        /** Whether all promises held. */
        public boolean isClean() {
            return (lost | doubled | reordered | disordered | misplaced | altered | unaccounted) == 0;
        }
    }

    /** A ledger for so many producers, and ticks of a length; the fault is that which is planted at the time. */
    InputLedger(int producers, long periodNanos, Supplier<InputFault> fault) {
        this.producers = IntStream.range(0, producers)
                .mapToObj(index -> new NumberedProducer(index, fault))
                .toList();
        this.arrivals = this.producers.stream().map(producer -> new Arrivals()).toList();
        this.periodNanos = periodNanos;
        this.fault = fault;
    }

    NumberedProducer producer(int index) {
        return producers.get(index);
    }

    void arrive(Tick tick) {
        arrive(tick.input(), tick.dueNanos());
    }

    /** Takes the input of a tick, the one after the last that was taken. */
    void arrive(InputFrame input, long saidNanos) {
        long dueNanos = fault.get() == InputFault.MISPLACE ? saidNanos + 1 : saidNanos;
        if (input.lengthNanos() != periodNanos) {
            misplaced++;
        }
        for (int i = 0; i < input.size(); i++) {
            InputEvent event = input.event(i);
            if (i > 0 && !follows(event, input.event(i - 1))) {
                disordered++;
            }
            checkPlaceInTick(event, dueNanos);
            arrive(event);
        }
        mostInATick = Math.max(mostInATick, input.size());
        previousDueNanos = dueNanos;
        ticks++;
    }

    /** Takes an event wherever it belongs, as where time stands still. */
    void arrive(InputEvent event) {
        if (event.kind() != InputKind.APPLICATION) {
            return;
        }
        int producer = NumberedProducer.producer(event.code());
        long place = NumberedProducer.place(event.code(), event.x());
        if (producer >= arrivals.size() || event.y() != NumberedProducer.y(event.timeNanos(), place)) {
            altered++;
            return;
        }
        arrivals.get(producer).add(place);
        arrived.setRelease(arrived.getPlain() + 1);
    }

    private static boolean follows(InputEvent event, InputEvent before) {
        long laterNanos = event.timeNanos() - before.timeNanos();
        return laterNanos > 0 || (laterNanos == 0 && event.sequence() > before.sequence());
    }

    private void checkPlaceInTick(InputEvent event, long dueNanos) {
        boolean early = event.timeNanos() - dueNanos > 0;
        boolean isLate = ticks > 0 && event.timeNanos() - previousDueNanos <= 0;
        long beganNanos = dueNanos - periodNanos; // later than the previous due time where time was given up
        long offsetNanos = isLate ? 0 : Math.max(0, event.timeNanos() - beganNanos);
        if (early || event.isLate() != isLate || event.offsetNanos() != offsetNanos) {
            misplaced++;
        }
        late += isLate ? 1 : 0;
    }

    /**
     * Compares what was offered with what arrived, after all threads have ended.
     *
     * @param counts what the ring and the service say
     */
    public Findings findings(RingCounts counts) {
        long lost = 0;
        long doubled = 0;
        long reordered = 0;
        long onTheWay = 0;
        long neverSent = 0;
        for (int i = 0; i < arrivals.size(); i++) {
            Arrivals own = arrivals.get(i);
            lost += own.lost;
            doubled += own.doubled;
            reordered += own.reordered;
            long open = producers.get(i).accepted - own.arrived;
            onTheWay += Math.max(0, open);
            neverSent += Math.max(0, -open);
        }
        long unaccounted = neverSent
                + Math.abs(onTheWay - counts.pending() - counts.dropped())
                + Math.abs(accepted() - counts.accepted())
                + Math.abs(offered() - accepted() - counts.rejected());
        return new Findings(lost, doubled, reordered, disordered, misplaced, altered, unaccounted);
    }

    /** Reports what was found to a trial, as far as its scenario states it, when nothing is offered any more. */
    void report(Trial trial, RingCounts counts) {
        Findings found = findings(counts);
        reportArrivals(trial, found);
        report(trial, Promise.INPUT_PLACED, found.misplaced(), found);
        report(trial, Promise.INPUT_SUMS, found.altered() + found.unaccounted(), found);
    }

    /** Reports what was found of the events that arrived, and nothing of the others. */
    void reportArrivals(Trial trial, Findings found) {
        report(trial, Promise.INPUT_ONCE, found.lost() + found.doubled(), found);
        report(trial, Promise.INPUT_ORDER, found.reordered() + found.disordered(), found);
    }

    private void report(Trial trial, Promise promise, long broken, Findings found) {
        Check check = trial.checkIfStated(promise);
        check.held(arrived());
        check.that(broken == 0, () -> broken + " times of " + arrived() + ": " + found);
    }

    /** How many events have arrived. Any thread. */
    public long arrived() {
        return arrived.getAcquire();
    }

    /** How many were offered, by producers that have ended. */
    public long offered() {
        return producers.stream().mapToLong(producer -> producer.offered).sum();
    }

    /** How many of them were accepted. */
    public long accepted() {
        return producers.stream().mapToLong(producer -> producer.accepted).sum();
    }

    /** How many ticks there were. */
    public long ticks() {
        return ticks;
    }

    /** The most events of one tick. */
    public int mostInATick() {
        return mostInATick;
    }

    /** Events that arrived after the tick they belonged to. */
    public long late() {
        return late;
    }
}
