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
 * Compares the input events that producers offered with those that ticks received. Within a tick, events must be ordered by time, and
 * events of the same time by sequence. At the end, the counts of the producers, of the ring and of the received events must match. Ignores
 * events of other kinds than {@link InputKind#APPLICATION}.
 *
 * <p>One thread at a time adds received events: the thread that ticks, or one after it. Allocates nothing until it reports.
 */
final class InputLedger {

    private final List<Producer> producers;
    private long disordered;

    /** The number of received events that have other contents than offered, or come from no producer. */
    private long altered;

    // The number of received events. Release: pairs with the acquire of a thread that waits for an event; without it
    // that thread could miss the results of the event's checks.
    private final AtomicLong arrived = new AtomicLong();

    /** Creates a ledger of {@code producers} producers. If {@code isPlanted}, a producer breaks the promise on purpose. */
    InputLedger(int producers, Predicate<Promise> isPlanted) {
        this.producers = IntStream.range(0, producers)
                .mapToObj(index -> new Producer(index, isPlanted))
                .toList();
    }

    Producer producer(int index) {
        return producers.get(index);
    }

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
        // The sequence is negative for events that reached no tick; these have no order among each other.
        boolean isOfSampler = event.sequence() < 0 && before.sequence() < 0;
        return laterNanos > 0 || (laterNanos == 0 && (isOfSampler || event.sequence() > before.sequence()));
    }

    /**
     * Returns the number of events that arrived twice, or did not arrive although later events of their producer did. Call it after all
     * threads have ended.
     */
    long once() {
        return sum(producer -> producer.lost + producer.doubled);
    }

    /** Returns the number of events that arrived after later events of their producer, or were in the wrong order within their tick. */
    long order() {
        return disordered + sum(producer -> producer.reordered);
    }

    /**
     * Returns the number of altered events, plus the differences between the counts of producers, of the ring and of received events.
     * {@code pending} are events that reached no tick, or were dropped in a pause.
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
     * Checks the received events. Call it after the last offer. {@code closed} is the closed service, whose counts must match, too; null if
     * its ring also has events of others.
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

    long accepted() {
        return sum(producer -> producer.accepted);
    }

    /**
     * Offers numbered events, and counts the accepted and the received ones. A number is the event's position among the accepted events of
     * its producer, so a gap in the received numbers is a lost event; a refused event's number is used again. An application event's code
     * and x contain the producer and the number, without loss. Its y is computed from its time and number, to find altered events.
     *
     * <p>One thread at a time offers, another one receives. A thread that has joined both may read the counts. Allocates nothing.
     */
    static final class Producer {

        private static final int PRODUCER_BITS = 8;
        private static final int PRODUCER_MASK = (1 << PRODUCER_BITS) - 1;

        /**
         * x contains this many low bits of an event's number, because a {@code float} represents as many exactly. The event's code contains
         * the next 24 bits.
         */
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

        void offer(InputRing ring) {
            offer(System.nanoTime(), ring);
        }

        void offer(long timeNanos, InputRing ring) {
            long place = place();
            int code = index | (int) (place >>> LOW_BITS) << PRODUCER_BITS;
            boolean taken =
                    ring.offer(timeNanos, InputKind.APPLICATION, code, (float) (place & LOW_MASK), y(timeNanos, place));
            offered++;
            // A planted fault: every eighth accepted event is counted as refused.
            boolean isDenied = offered % DENIED_EVERY == 0 && isPlanted.test(Promise.INPUT_SUMS);
            accepted += taken && !isDenied ? 1 : 0;
        }

        /** Offers an event without a number. The ring counts it, but it is not looked for among the received events. */
        void offerKey(InputKind kind, int key, InputRing ring) {
            offered++;
            acceptedKeys += ring.offer(System.nanoTime(), kind, key, 0, 0) ? 1 : 0;
        }

        /**
         * Returns the number of the next event. A planted fault skips the first number, as if its event were lost, or exchanges neighbours.
         */
        private long place() {
            if (isPlanted.test(Promise.INPUT_ONCE)) {
                return accepted + 1;
            }
            return isPlanted.test(Promise.INPUT_ORDER) ? accepted ^ 1 : accepted;
        }

        void arrive(long place) {
            arrived++;
            if (place >= nextPlace) {
                lost += place - nextPlace;
                nextPlace = place + 1;
            } else if (place == nextPlace - 1) {
                doubled++;
            } else { // an event that an earlier gap has counted as lost, or an old event that is repeated
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
