package dev.escapement.state.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Random ticks and drains of streams of all sizes, checked against a list of all events. */
class EventStreamModelTest {

    private static final int ROUNDS = 5_000;
    private static final int UNKNOWN = -1;

    private final Random random = new Random(20);
    private final TickEvents events = new TickEvents();

    /** The tick of each event, by the event's number from 1. */
    private final List<Long> happened = new ArrayList<>(List.of(0L));

    private long tick;

    /** The number of the last event that was delivered or counted as missed. */
    private long lastNumber;

    private long reported;

    /** The number of events and gaps that wait in the ring, where the guarantees alone say it. */
    private int inRing;

    private boolean isDrained = true;

    /** The last tick that a drain may visit, and the last one whose events were all visited. */
    private long dueTick;

    private long doneTick;

    /** Whether the ring was drained before the last tick, so that it has room to report all that was missed. */
    private boolean mustReport;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 8, 64})
    void shouldAccountForEveryEvent(int capacity) {
        EventStream stream = new EventHub().subscribe(capacity);
        for (int round = 0; round < ROUNDS; round++) {
            if (random.nextInt(3) > 0) {
                int most = random.nextInt(3) == 0 ? 2 * capacity + 2 : 3;
                deliver(stream, capacity, random.nextInt(most));
            } else {
                drain(stream, random.nextInt(capacity + 1) + 1, tick + 2 - random.nextInt(5));
            }
        }
        drain(stream, capacity, tick);
        deliver(stream, capacity, 0);
        drain(stream, capacity, tick);
        assertThat(lastNumber).isEqualTo(happened.size() - 1);
        assertThat(reported).isEqualTo(stream.missed()).isPositive();
    }

    /** One thread delivers while another one drains. A torn, misplaced or repeated event fails this test. */
    @Test
    void shouldAccountForEveryEventToAnotherThread() throws Exception {
        EventStream stream = new EventHub().subscribe(4);
        AtomicBoolean ended = new AtomicBoolean();
        long[] seen = new long[1];
        Runnable drain = () -> stream.drain(event -> {
            long number = seen[0] + (event.kind() == BodyEvent.Kind.GAP ? event.missed() : 1);
            seen[0] = number;
            if (event.kind() != BodyEvent.Kind.GAP) {
                assertThat(event.body()).isEqualTo(number);
                assertThat(event.tick()).isEqualTo((number + 2) / 3);
                assertThat(event.userData()).isEqualTo(-number);
            }
        });
        FutureTask<Boolean> subscriber = new FutureTask<>(
                () -> {
                    while (!ended.get()) {
                        drain.run();
                    }
                },
                true);
        new Thread(subscriber).start();
        try {
            for (long number = 1; number <= 300_000; number++) {
                if (number % 3 == 1) {
                    events.begin(++tick);
                }
                events.add().setLifecycle(BodyEvent.Kind.SPAWNED, tick, number, -number);
                if (number % 3 == 0) {
                    stream.deliver(events);
                }
            }
        } finally {
            ended.set(true);
        }
        assertThat(subscriber.get()).isTrue();
        drain.run();
        events.begin(++tick);
        stream.deliver(events); // delivers the gap event, which had no room before
        drain.run();
        assertThat(seen[0]).isEqualTo(300_000);
    }

    /** Delivers a tick. Events may be missed only if the events and gaps before them leave no room, and then the ring is full. */
    private void deliver(EventStream stream, int capacity, int count) {
        events.begin(++tick);
        for (int i = 0; i < count; i++) {
            events.add().setLifecycle(BodyEvent.Kind.SPAWNED, tick, happened.size(), 0);
            happened.add(tick);
        }
        long missedBefore = stream.missed();
        stream.deliver(events);
        boolean hasMissed = stream.missed() > missedBefore;
        // Each event takes at most one place, and a gap, which stands for at least one event, takes one, too.
        boolean fits = happened.size() - 1 - lastNumber <= capacity || (isDrained && count < capacity);
        assertThat(hasMissed && fits).as("nothing is missed that fits").isFalse();
        mustReport = isDrained && fits;
        inRing = hasMissed ? capacity : UNKNOWN;
        isDrained = false;
    }

    /** Drains up to {@code max} events, up to a tick, with a visitor that then throws. */
    private void drain(EventStream stream, int max, long lastTick) {
        int[] left = {max};
        dueTick = lastTick;
        try {
            stream.drain(lastTick, event -> {
                visit(event);
                if (--left[0] == 0) {
                    throw new UnsupportedOperationException("enough");
                }
            });
            doneTick = Math.max(doneTick, Math.min(lastTick, tick));
            if (lastTick < tick) {
                return;
            }
            assertThat(inRing).as("a full ring, if events are missed").isIn(0, UNKNOWN);
            assertThat(mustReport && lastNumber < happened.size() - 1).isFalse();
            isDrained = true;
            inRing = 0;
        } catch (UnsupportedOperationException enough) {
            assertThat(left[0]).isZero();
        }
    }

    private void visit(BodyEvent event) {
        inRing -= inRing == UNKNOWN ? 0 : 1;
        assertThat(event.tick()).isLessThanOrEqualTo(dueTick);
        if (event.kind() == BodyEvent.Kind.GAP) {
            reported += event.missed();
            assertThat(event.missed()).isPositive();
            assertThat(event.tick()).isEqualTo(happened.get((int) lastNumber + 1));
            lastNumber += event.missed();
            assertThat(event.lastMissedTick()).isEqualTo(happened.get((int) lastNumber));
        } else {
            assertThat(event.body()).as("nothing is missing without a gap").isEqualTo(++lastNumber);
            assertThat(event.tick()).isEqualTo(happened.get((int) lastNumber)).isGreaterThan(doneTick);
        }
    }

    private static final Comparator<BodyEvent> NAIVE = Comparator.comparingLong(BodyEvent::body)
            .thenComparingLong(BodyEvent::other)
            .thenComparing(BodyEvent::kind)
            .thenComparingDouble(BodyEvent::x)
            .thenComparingDouble(BodyEvent::y)
            .thenComparingDouble(BodyEvent::z)
            .thenComparingDouble(BodyEvent::nx)
            .thenComparingDouble(BodyEvent::ny)
            .thenComparingDouble(BodyEvent::nz);

    /** One buffer takes all ticks in turn. A tick with many events must leave nothing in the next one. */
    @Test
    void shouldSortAsANaiveSortDoes() {
        for (int tick = 1; tick < 300; tick++) {
            events.begin(tick);
            List<BodyEvent> added = new ArrayList<>();
            for (int i = random.nextInt(200); i > 0; i--) {
                added.add(addAny(tick));
            }
            List<String> naive =
                    added.stream().sorted(NAIVE).map(BodyEvent::toString).toList();
            events.sort();
            List<String> sorted = new ArrayList<>();
            for (int i = 0; i < events.count(); i++) {
                sorted.add(events.get(i).toString());
            }
            assertThat(sorted).isEqualTo(naive);
        }
    }

    private BodyEvent addAny(long tick) {
        BodyEvent event = events.add();
        BodyEvent.Kind kind = random.nextBoolean() ? BodyEvent.Kind.CONTACT_BEGAN : BodyEvent.Kind.CONTACT_ENDED;
        event.set(kind, tick, random.nextInt(5) - 2L, random.nextInt(3));
        event.setGeometry(
                random.nextInt(2),
                random.nextInt(2),
                random.nextInt(2),
                random.nextInt(2),
                random.nextInt(2),
                random.nextInt(2));
        return event;
    }
}
