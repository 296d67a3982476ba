package dev.escapement.state.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Events are numbered through all ticks, by the ids of their bodies. */
class EventStreamTest {

    private final EventHub hub = new EventHub();
    private final TickEvents events = new TickEvents();
    private final List<EventStream> streams = new ArrayList<>();
    private long tick;
    private long number;

    @Test
    void shouldHandOutEveryEventOnceInItsOrder() {
        EventStream stream = subscribe(8);
        deliver(2);
        deliver(3);
        List<String> drained = new ArrayList<>();
        assertThat(stream.drain(event -> drained.add(event.tick() + ":" + event.body())))
                .isEqualTo(5);
        assertThat(drained).containsExactly("1:1", "1:2", "2:3", "2:4", "2:5");
        assertThat(stream.drain(event -> drained.add("again"))).isZero();
        assertThat(drained).hasSize(5);
        assertThat(stream.missed()).isZero();
    }

    @Test
    void shouldTellAGapExactlyWhereEventsAreMissing() {
        EventStream stream = subscribe(4);
        deliver(3);
        deliver(2); // 5 is missing
        deliver(3); // 6, 7, 8 too
        assertThat(stream.missed()).isEqualTo(4);
        assertThat(DrainedEvents.numbers(stream)).containsExactly(1L, 2L, 3L, 4L);
        deliver(2);
        assertThat(DrainedEvents.of(stream))
                .containsExactly(
                        "BodyEvent[tick 2 GAP of 4 events, until tick 3]",
                        "BodyEvent[tick 4 SPAWNED 9#0 user data 90]",
                        "BodyEvent[tick 4 SPAWNED 10#0 user data 100]");
        assertThat(stream.missed()).isEqualTo(4);
    }

    @Test
    void shouldTellAGapInAQuietTickIfNothingFollows() {
        EventStream stream = subscribe(2);
        deliver(5);
        deliver(0);
        assertThat(DrainedEvents.numbers(stream)).as("no room yet").containsExactly(1L, 2L);
        deliver(0);
        assertThat(DrainedEvents.of(stream)).containsExactly("BodyEvent[tick 1 GAP of 3 events, until tick 1]");
        deliver(0);
        assertThat(DrainedEvents.of(stream)).as("once").isEmpty();
    }

    @Test
    void shouldTellOneGapForAsLongAsThereIsRoomForNoMore() {
        EventStream stream = subscribe(1);
        deliver(2);
        assertThat(DrainedEvents.numbers(stream)).containsExactly(1L);
        deliver(2); // the gap takes the only place, and these belong to it
        assertThat(DrainedEvents.numbers(stream)).containsExactly(-3L);
        deliver(1);
        assertThat(DrainedEvents.numbers(stream)).containsExactly(5L);
    }

    @Test
    void shouldLetASlowSubscriberLoseItsOwnEventsOnly() {
        EventStream slow = subscribe(4);
        EventStream quick = subscribe(4);
        List<Long> drained = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            deliver(2);
            drained.addAll(DrainedEvents.numbers(quick));
        }
        assertThat(drained).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
        assertThat(quick.missed()).isZero();
        assertThat(DrainedEvents.numbers(slow)).containsExactly(1L, 2L, 3L, 4L);
        assertThat(slow.missed()).isEqualTo(6);
    }

    @Test
    void shouldHandOutNothingTwiceAndLoseNothingIfTheVisitorThrows() {
        EventStream stream = subscribe(4);
        deliver(3);
        List<Long> seen = new ArrayList<>();
        assertThatThrownBy(() -> stream.drain(event -> {
                    seen.add(event.body());
                    if (event.body() == 2) {
                        throw new UnsupportedOperationException("no 2");
                    }
                }))
                .hasMessage("no 2");
        stream.drain(event -> seen.add(event.body()));
        assertThat(seen).containsExactly(1L, 2L, 3L);
    }

    @Test
    void shouldRefuseToBeDrainedWhileItIsDrained() {
        EventStream stream = subscribe(4);
        deliver(1);
        assertThatIllegalStateException()
                .isThrownBy(() -> stream.drain(event -> stream.drain(inner -> {})))
                .withMessageContaining("drains one that is being drained");
        deliver(1);
        assertThat(DrainedEvents.numbers(stream)).as("it can go on").containsExactly(2L);
    }

    @Test
    void shouldMakeRoomWhileItIsDrained() {
        EventStream stream = subscribe(2);
        deliver(2);
        List<Long> seen = new ArrayList<>();
        stream.drain(event -> {
            seen.add(event.body());
            if (event.body() == 2) {
                deliver(1);
            }
        });
        stream.drain(event -> seen.add(event.body()));
        assertThat(seen).containsExactly(1L, 2L, 3L);
    }

    /** As in a loop of the caller's own that is deep in its stack. */
    @Test
    void shouldHandOutNothingStaleAfterTheStackEndedInADelivery() throws InterruptedException {
        EventStream stream = subscribe(1 << 14);
        long last = 0;
        for (int round = 0; round < 40; round++) {
            int shift = round;
            Thread deep = new Thread(null, () -> deliverToTheEnd(shift), "deep", 160_000);
            deep.start();
            deep.join();
            deliver(1);
            List<Long> numbers = DrainedEvents.numbers(stream);
            assertThat(numbers).isNotEmpty().doesNotHaveDuplicates().isSorted();
            assertThat(numbers.get(0)).as("round " + round).isGreaterThan(last);
            last = numbers.get(numbers.size() - 1);
            assertThat(last).isEqualTo(number);
        }
        deliver(1 << 14);
        assertThat(DrainedEvents.numbers(stream))
                .as("all places are used again")
                .hasSize(1 << 14);
        assertThat(stream.missed()).isZero();
    }

    /** First some frames of another size, so that the end comes at another instruction. */
    private void deliverToTheEnd(int shift) {
        if (shift > 0) {
            deliverToTheEnd(shift - 1);
            return;
        }
        try {
            deliverDeeper(0, 0);
        } catch (StackOverflowError theEnd) {
            // as it was to be
        }
    }

    @SuppressWarnings("InfiniteRecursion") // it is to end with the stack
    private void deliverDeeper(long widens, long theFrame) {
        try {
            deliver(1);
        } catch (StackOverflowError theEnd) {
            // the next may fit
        }
        deliverDeeper(theFrame, widens);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -8, 3, 1000, Integer.MIN_VALUE})
    void shouldRefuseCapacitiesThatAreNoPowerOfTwo(int capacity) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> hub.subscribe(capacity))
                .withMessageStartingWith(
                        "the capacity of an event stream must be a positive power of two, but is " + capacity);
    }

    private EventStream subscribe(int capacity) {
        EventStream stream = hub.subscribe(capacity);
        streams.add(stream);
        return stream;
    }

    private void deliver(int count) {
        events.begin(++tick);
        for (int i = 0; i < count; i++) {
            number++;
            events.add().setLifecycle(BodyEvent.Kind.SPAWNED, tick, number, 10 * number);
        }
        for (EventStream stream : streams) {
            stream.deliver(events);
        }
    }
}
