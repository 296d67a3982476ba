package dev.escapement.bench.stress.scenario;

import dev.escapement.bench.measure.Check;
import dev.escapement.bench.stress.trial.Promise;
import dev.escapement.bench.stress.trial.Trial;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.Tick;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongUnaryOperator;
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
    private final Arrivals[] arrivals;
    private final long periodNanos;
    private long previousDueNanos;
    private long ticks;
    private int mostInATick;
    private long late;
    private long disordered;
    private long misplaced;
    private long foreign;

    // Written by the thread that ticks alone; release, so that a thread that waits for an event, acquire, sees what was
    // checked.
    private final AtomicLong arrived = new AtomicLong();

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
     * @param altered     producers whose events arrived with other contents, and events of no producer
     * @param unaccounted by how many events what the producers counted, what the ring counted and what arrived do not add up
     */
    public record Findings(
            long lost, long doubled, long reordered, long disordered, long misplaced, long altered, long unaccounted) {

        /** Whether all promises held. */
        public boolean isClean() {
            return (lost | doubled | reordered | disordered | misplaced | altered | unaccounted) == 0;
        }
    }

    /** A ledger for so many producers, and ticks of a length. */
    InputLedger(int producers, long periodNanos) {
        this(producers, periodNanos, accepted -> accepted);
    }

    /** A ledger for so many producers, which claim the places of other events if the trial is to break what is promised. */
    InputLedger(Trial trial, int producers) {
        this(
                producers,
                0,
                accepted -> trial.isPlanted(Promise.INPUT_ORDER)
                        ? accepted ^ 1 // neighbours change places
                        : trial.isPlanted(Promise.INPUT_ONCE) ? 2 * accepted : accepted); // every other one is lost
    }

    private InputLedger(int producers, long periodNanos, LongUnaryOperator placeOf) {
        this.producers = IntStream.range(0, producers)
                .mapToObj(index -> new NumberedProducer(index, placeOf))
                .toList();
        this.periodNanos = periodNanos;
        arrivals = new Arrivals[producers];
        Arrays.setAll(arrivals, i -> new Arrivals());
    }

    NumberedProducer producer(int index) {
        return producers.get(index);
    }

    List<NumberedProducer> producers() {
        return producers;
    }

    void arrive(Tick tick) {
        arrive(tick.input(), tick.dueNanos());
    }

    /** Takes the input of a tick, the one after the last that was taken. */
    void arrive(InputFrame input, long dueNanos) {
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

    /** Takes an event, also while time stands still. */
    void arrive(InputEvent event) {
        if (event.kind() != InputKind.APPLICATION) {
            return;
        }
        int producer = NumberedProducer.producer(event.code());
        if (producer >= arrivals.length) {
            foreign++;
            return;
        }
        arrivals[producer].add(event.timeNanos(), NumberedProducer.place(event.code(), event.x()), event.y());
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
        if (isLate) {
            late++;
        }
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
        long altered = foreign;
        long refused = 0;
        long onTheWay = 0;
        long neverSent = 0;
        for (int i = 0; i < arrivals.length; i++) {
            NumberedProducer producer = producers.get(i);
            Arrivals own = arrivals[i];
            lost += own.lost;
            doubled += own.doubled;
            reordered += own.reordered;
            long open = producer.accepted - own.arrived;
            onTheWay += Math.max(0, open);
            neverSent += Math.max(0, -open);
            altered += open == 0 && producer.hashSum != own.hashSum ? 1 : 0;
            refused += producer.offered - producer.accepted;
        }
        long unaccounted = neverSent
                + Math.abs(onTheWay - counts.pending() - counts.dropped())
                + Math.abs(accepted() - counts.accepted())
                + Math.abs(refused - counts.rejected());
        return new Findings(lost, doubled, reordered, disordered, misplaced, altered, unaccounted);
    }

    /** Reports what was found to a trial, as far as its scenario states it, when nothing is offered any more. */
    void report(Trial trial, RingCounts counts) {
        Findings found = findings(counts);
        reportArrivals(trial, found);
        long planted = trial.isPlanted(Promise.INPUT_SUMS) ? 1 : 0;
        report(trial, Promise.INPUT_PLACED, found.misplaced(), found);
        report(trial, Promise.INPUT_SUMS, found.altered() + found.unaccounted() + planted, found);
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

    /** What arrived of one producer. */
    Arrivals arrivals(int producer) {
        return arrivals[producer];
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

    /** What has arrived of one producer, and what should have: its places one after the other. One thread at a time. */
    static final class Arrivals {

        /** How many missing places are remembered, to tell a latecomer from a double; those before were lost. */
        private static final int REMEMBERED = 64;

        private final long[] missing = new long[REMEMBERED];
        private int oldestMissing;
        private long nextPlace;

        /** How many events arrived. */
        long arrived;

        /** Places that later ones went past, and that never arrived. */
        long lost;

        /** Places that arrived again. */
        long doubled;

        /** Places that arrived after later ones. */
        long reordered;

        /** Over what arrived. */
        long hashSum;

        Arrivals() {
            Arrays.fill(missing, -1);
        }

        void add(long timeNanos, long place, float number) {
            arrived++;
            hashSum += NumberedProducer.hash(timeNanos, place, number);
            if (place >= nextPlace) {
                passOver(place);
                nextPlace = place + 1;
            } else if (wasMissing(place)) {
                lost--;
                reordered++;
            } else {
                doubled++;
            }
        }

        private void passOver(long place) {
            lost += place - nextPlace;
            for (long passed = Math.max(nextPlace, place - REMEMBERED); passed < place; passed++) {
                missing[oldestMissing] = passed;
                oldestMissing = (oldestMissing + 1) % REMEMBERED;
            }
        }

        private boolean wasMissing(long place) {
            for (int i = 0; i < REMEMBERED; i++) {
                if (missing[i] == place) {
                    missing[i] = -1;
                    return true;
                }
            }
            return false;
        }
    }
}
