package dev.escapement.state.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EventOrderTest {

    private static final Comparator<BodyEvent> NAIVE = Comparator.comparingLong(BodyEvent::body)
            .thenComparingLong(BodyEvent::other)
            .thenComparing(BodyEvent::kind)
            .thenComparing(BodyEvent::x)
            .thenComparing(BodyEvent::y)
            .thenComparing(BodyEvent::z)
            .thenComparing(BodyEvent::nx)
            .thenComparing(BodyEvent::ny)
            .thenComparing(BodyEvent::nz);

    @Test
    void shouldSortAsANaiveSortDoesInAnyOrderOfReports() {
        Random random = new Random(7);
        for (int size = 0; size < 200; size++) {
            List<BodyEvent> events = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                events.add(contact(
                        random.nextBoolean() ? BodyEvent.Kind.CONTACT_BEGAN : BodyEvent.Kind.CONTACT_ENDED,
                        random.nextInt(5) - 2L,
                        random.nextInt(3),
                        random.nextInt(2),
                        random.nextInt(2),
                        random.nextInt(2),
                        random.nextInt(2),
                        random.nextInt(2),
                        random.nextInt(2)));
            }
            List<String> naive = texts(events.stream().sorted(NAIVE).toArray(BodyEvent[]::new));
            for (int permutation = 0; permutation < 5; permutation++) {
                BodyEvent[] shuffled = shuffled(events, random);
                EventOrder.sort(shuffled, size);
                assertThat(texts(shuffled)).isEqualTo(naive);
            }
        }
    }

    @Test
    void shouldLeaveWhatIsBeyondTheCountAlone() {
        BodyEvent[] events = {
            lifecycle(BodyEvent.Kind.SPAWNED, 3),
            lifecycle(BodyEvent.Kind.SPAWNED, 2),
            lifecycle(BodyEvent.Kind.SPAWNED, 1)
        };
        EventOrder.sort(events, 2);
        assertThat(events).extracting(BodyEvent::body).containsExactly(2L, 3L, 1L);
    }

    private static BodyEvent contact(BodyEvent.Kind kind, long body, long other, float... geometry) {
        BodyEvent event = new BodyEvent();
        event.setContact(kind, 1, body, other);
        if (geometry.length > 0) {
            event.setGeometry(geometry[0], geometry[1], geometry[2], geometry[3], geometry[4], geometry[5]);
        }
        return event;
    }

    private static BodyEvent lifecycle(BodyEvent.Kind kind, long body) {
        BodyEvent event = new BodyEvent();
        event.setLifecycle(kind, 1, body, 0);
        return event;
    }

    private static BodyEvent[] shuffled(List<BodyEvent> events, Random random) {
        List<BodyEvent> copy = new ArrayList<>(events);
        Collections.shuffle(copy, random);
        return copy.toArray(BodyEvent[]::new);
    }

    private static List<String> texts(BodyEvent[] events) {
        return Arrays.stream(events).map(BodyEvent::toString).toList();
    }
}
