package dev.escapement.state.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TickEventsTest {

    private static final Comparator<BodyEvent> NAIVE = Comparator.comparingLong(BodyEvent::body)
            .thenComparingLong(BodyEvent::other)
            .thenComparing(BodyEvent::kind)
            .thenComparing(BodyEvent::x)
            .thenComparing(BodyEvent::y)
            .thenComparing(BodyEvent::z)
            .thenComparing(BodyEvent::nx)
            .thenComparing(BodyEvent::ny)
            .thenComparing(BodyEvent::nz);

    private final Random random = new Random(7);
    private final TickEvents events = new TickEvents();

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
