package dev.escapement.bench.flood;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.time.ManualClock;
import dev.escapement.state.time.Waiting;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** On a manual clock: waiting moves it on. */
class ProducerTest {

    private static final long MILLI = 1_000_000;

    private final ManualClock clock = new ManualClock(-7 * MILLI);
    private final Waiting waiting = new Waiting() {
        @Override
        public void park(long nanos) {
            clock.advance(nanos);
        }

        @Override
        public void spin() {
            clock.advance(1);
        }
    };

    private Producer producer(long perSecond, long offers, InputGate gate) {
        return new Producer(0, perSecond, offers, gate, clock, waiting);
    }

    @Test
    void shouldOfferWhatIsDueAtEveryWakeUp() {
        List<Long> stamps = new ArrayList<>();
        long originNanos = clock.nanoTime();
        Producer producer = producer(2500, 11, (timeNanos, code, x, y) -> stamps.add(timeNanos - originNanos));
        producer.run(originNanos);
        assertThat(stamps)
                .containsExactly(
                        MILLI, MILLI, 2 * MILLI, 2 * MILLI, 2 * MILLI, 3 * MILLI, 3 * MILLI, 4 * MILLI, 4 * MILLI,
                        4 * MILLI, 5 * MILLI);
        assertThat(producer.endedNanos()).isEqualTo(originNanos + 5 * MILLI);
    }

    @Test
    void shouldKnowWhatIsDueAfterHours() {
        Producer producer = producer(10_000_000, 1000, (timeNanos, code, x, y) -> true);
        producer.run(clock.nanoTime() - 3_600_000_000_000L);
        assertThat(producer.offered()).isEqualTo(1000);
        assertThat(producer.endedNanos()).isEqualTo(-6 * MILLI);
    }

    @Test
    void shouldPassOverTheNumbersThatWereRefusedAndKeepTheirPlaces() {
        List<String> offered = new ArrayList<>();
        Producer producer = producer(1000, 6, (timeNanos, code, x, y) -> {
            offered.add(EventTag.number(code, x) + "/" + EventTag.place(code, y));
            return EventTag.number(code, x) % 3 != 1;
        });
        producer.run(clock.nanoTime());
        assertThat(offered).containsExactly("0/0", "1/1", "2/1", "3/2", "4/3", "5/3");
        assertThat(producer.offered()).isEqualTo(6);
        assertThat(producer.accepted()).isEqualTo(4);
        assertThat(producer.refused()).isEqualTo(2);
    }

    @Test
    void shouldEndWhenCancelled() {
        List<Producer> itself = new ArrayList<>();
        Producer producer = producer(1000, 1_000_000, (timeNanos, code, x, y) -> {
            itself.get(0).cancel();
            return true;
        });
        itself.add(producer);
        producer.run(clock.nanoTime());
        assertThat(producer.offered()).isEqualTo(1);
    }
}
