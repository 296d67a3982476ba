package dev.escapement.state.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

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
    void shouldRefuseToBeDrainedWhileItIsDrained() {
        EventStream stream = subscribe(4);
        deliver(1);
        assertThatIllegalStateException()
                .isThrownBy(() -> stream.drain(event -> stream.drain(inner -> {})))
                .withMessageContaining("drains one that is being drained");
        deliver(1);
        assertThat(DrainedEvents.numbers(stream)).as("it can resume").containsExactly(2L);
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
