package dev.escapement.bench.stress;

import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.state.input.InputEvent;
import dev.escapement.state.input.InputFrame;
import dev.escapement.state.input.InputKind;
import dev.escapement.state.input.InputRing;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Compares offered and arriving events. Within a tick events are in the order of their times, ties in the order of their sequence; at the
 * end, the counts of producers, of the ring and of arrivals add up, event by event. Ignores events of other kinds than
 * {@link InputKind#APPLICATION}.
 *
 * <p>The thread that ticks, or its successor, adds arriving events. Allocates nothing until it reports.
 */
final class InputLedger {

    private final List<Producer> producers;
    private long disordered;

    /** Events that arrived with other contents, and events of no producer. */
    private long altered;

    // Written by the thread that ticks alone; release, so that a thread that waits for an event, acquire, sees the
    // results of its checks.
    private final AtomicLong arrived = new AtomicLong();

    /** Makes a ledger of some producers, which break planted promises. */
    InputLedger(int producers, Predicate<Promise> isPlanted) {
        this.producers = IntStream.range(0, producers)
                .mapToObj(index -> new Producer(index, isPlanted))
                .toList();
    }

    Producer producer(int index) {
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
        int index = Producer.index(event.code());
        long place = Producer.place(event.code(), event.x());
        if (index >= producers.size() || event.y() != Producer.y(event.timeNanos(), place)) {
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

    /** Returns how many events never arrived although later ones of their producer did, or arrived again. After the end of all threads. */
    long once() {
        return sum(producer -> producer.lost + producer.doubled);
    }

    /** Returns how many arrived after later ones of their producer, or stood before others that they should follow in their tick. */
    long order() {
        return disordered + sum(producer -> producer.reordered);
    }

    /**
     * Returns how many are unlike those offered, and the differences between the counts of producers, ring and arrivals.
     *
     * @param accepted events that the ring accepted
     * @param rejected events that it refused
     * @param pending  events that reached no tick, or were dropped while time stood still
     */
    long sums(long accepted, long rejected, long pending) {
        long onTheWay = sum(producer -> Math.max(0, producer.accepted - producer.arrived));
        long acceptedOfAll = sum(producer -> producer.accepted + producer.acceptedKeys);
        long neverSent = sum(producer -> Math.max(0, producer.arrived - producer.accepted));
        return altered
                + neverSent
                + Math.abs(onTheWay - pending)
                + Math.abs(acceptedOfAll - accepted)
                + Math.abs(sum(producer -> producer.offered) - acceptedOfAll - rejected);
    }

    private long sum(ToLongFunction<Producer> count) {
        return producers.stream().mapToLong(count).sum();
    }

    /**
     * Checks what has arrived, after the last offer.
     *
     * @param closed the service, if its ring has only events of these producers: then its counts add up, too
     */
    void check(Trial trial, @Nullable PhysicsService closed) {
        check(trial.check(Promise.INPUT_ONCE), once());
        check(trial.check(Promise.INPUT_ORDER), order());
        if (closed != null) {
            InputRing ring = closed.input();
            long pending = closed.pendingInputs() + ring.droppedWhilePaused();
            check(trial.check(Promise.INPUT_SUMS), sums(ring.accepted(), ring.rejected(), pending));
        }
    }

    private void check(Check check, long broken) {
        check.held(arrived());
        check.that(broken == 0, () -> broken + " times of " + arrived());
    }

    long arrived() {
        return arrived.getAcquire();
    }

    /** Returns how many were accepted, of producers that have ended. */
    long accepted() {
        return sum(producer -> producer.accepted);
    }

    /**
     * Offers numbered input events, and counts accepted and arriving ones. An application event's code and x hold, without loss, the
     * producer and the event's number among its accepted events, its place; y follows from its time and its place. A gap in the arriving
     * places is a lost event. The place of a refused event is used for the next.
     *
     * <p>One thread at a time offers, another one takes; a thread that has joined both may read the counts. Allocates nothing.
     */
    static final class Producer {

        private static final int PRODUCER_BITS = 8;
        private static final int PRODUCER_MASK = (1 << PRODUCER_BITS) - 1;

        /** As many bits as a {@code float} holds exactly; the 24 others of a place are in the code. */
        private static final int LOW_BITS = 24;

        private static final int LOW_MASK = (1 << LOW_BITS) - 1;
        private static final long DENIED_EVERY = 8;

        private final int index;
        private final Predicate<Promise> isPlanted;
        long offered;
        long accepted;
        long acceptedKeys;
        long arrived;
        long lost;
        long doubled;
        long reordered;
        private long nextPlace;

        Producer(int index, Predicate<Promise> isPlanted) {
            this.index = index;
            this.isPlanted = isPlanted;
        }

        /** Offers the next event, stamped now. */
        void offer(InputRing ring) {
            offer(System.nanoTime(), ring);
        }

        void offer(long timeNanos, InputRing ring) {
            long place = place();
            int code = index | (int) (place >>> LOW_BITS) << PRODUCER_BITS;
            boolean taken =
                    ring.offer(timeNanos, InputKind.APPLICATION, code, (float) (place & LOW_MASK), y(timeNanos, place));
            offered++;
            // Planted: an accepted event is noted as refused, now and then.
            boolean isDenied = offered % DENIED_EVERY == 0 && isPlanted.test(Promise.INPUT_SUMS);
            accepted += taken && !isDenied ? 1 : 0;
        }

        /** Offers another event, which has no number: only the counts of the ring tell of it. */
        void offerKey(InputKind kind, int key, InputRing ring) {
            offered++;
            acceptedKeys += ring.offer(System.nanoTime(), kind, key, 0, 0) ? 1 : 0;
        }

        /** Returns the place of the next event. Planted: the first one is left out, as if it were lost; or neighbours change places. */
        private long place() {
            if (isPlanted.test(Promise.INPUT_ONCE)) {
                return accepted + 1;
            }
            return isPlanted.test(Promise.INPUT_ORDER) ? accepted ^ 1 : accepted;
        }

        /** Notes that the event of this place has arrived. */
        void arrive(long place) {
            arrived++;
            if (place >= nextPlace) {
                lost += place - nextPlace;
                nextPlace = place + 1;
            } else if (place == nextPlace - 1) {
                doubled++;
            } else { // a gap before it, or it arrives again much later
                lost--;
                reordered++;
            }
        }

        static int index(int code) {
            return code & PRODUCER_MASK;
        }

        static long place(int code, float x) {
            return (long) (code >>> PRODUCER_BITS) << LOW_BITS | (long) x;
        }

        static float y(long timeNanos, long place) {
            return (timeNanos ^ 31 * place) & LOW_MASK;
        }
    }
}
