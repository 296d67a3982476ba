package dev.escapement.bench.stress.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.stress.scenario.NumberedProducer.Gate;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** On a manual clock: waiting moves it on. */
class FloodProducerTest {

    private static final long MILLI = 1_000_000;

    private final ManualClock clock = new ManualClock(-7 * MILLI);
    private final NumberedProducer producer = new InputLedger(1, 1).producer(0);

    private long offerAll(long perSecond, long offers, long originNanos, Gate gate) {
        return Flood.offerAll(producer, perSecond, offers, originNanos, gate, clock, nanos -> {
            clock.advance(nanos - clock.nanoTime());
            return true;
        });
    }

    @Test
    void shouldOfferWhatIsDueAtEveryWakeUp() {
        List<Long> stamps = new ArrayList<>();
        long originNanos = clock.nanoTime();
        long endedNanos =
                offerAll(2500, 11, originNanos, (timeNanos, code, x, y) -> stamps.add(timeNanos - originNanos));
        assertThat(stamps)
                .containsExactly(
                        MILLI, MILLI, 2 * MILLI, 2 * MILLI, 2 * MILLI, 3 * MILLI, 3 * MILLI, 4 * MILLI, 4 * MILLI,
                        4 * MILLI, 5 * MILLI);
        assertThat(endedNanos).isEqualTo(originNanos + 5 * MILLI);
    }

    @Test
    void shouldKnowWhatIsDueAfterHours() {
        long endedNanos =
                offerAll(10_000_000, 1000, clock.nanoTime() - 3_600_000_000_000L, (timeNanos, code, x, y) -> true);
        assertThat(producer.offered).isEqualTo(1000);
        assertThat(endedNanos).isEqualTo(-6 * MILLI);
    }

    @Test
    void shouldPassOverTheNumbersThatWereRefusedAndKeepTheirPlaces() {
        List<String> offered = new ArrayList<>();
        offerAll(1000, 6, clock.nanoTime(), (timeNanos, code, x, y) -> {
            offered.add((long) y + "/" + NumberedProducer.place(code, x));
            return y % 3 != 1;
        });
        assertThat(offered).containsExactly("0/0", "1/1", "2/1", "3/2", "4/3", "5/3");
        assertThat(producer.offered).isEqualTo(6);
        assertThat(producer.accepted).isEqualTo(4);
    }

    @Test
    void shouldEndWhenItIsNotToGoOn() {
        boolean[] goesOn = {true};
        Flood.offerAll(
                producer,
                1000,
                1_000_000,
                clock.nanoTime(),
                (timeNanos, code, x, y) -> {
                    goesOn[0] = false;
                    return true;
                },
                clock,
                nanos -> {
                    clock.advance(nanos - clock.nanoTime());
                    return goesOn[0];
                });
        assertThat(producer.offered).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "3, 1",
        "1, 16777215", // the largest whole number below which a float has all
        "2, 16777216",
        "2, 16777217",
        "0, 50000000001",
        "255, 281474976710655"
    })
    void shouldBringEveryPlaceAcross(int producing, long place) {
        int code = NumberedProducer.code(producing, place);
        assertThat(NumberedProducer.producer(code)).isEqualTo(producing);
        assertThat(NumberedProducer.place(code, NumberedProducer.x(place))).isEqualTo(place);
    }

    @Test
    void shouldHashAllOfIt() {
        assertThat(NumberedProducer.hash(1, 2, 3))
                .isEqualTo(NumberedProducer.hash(1, 2, 3))
                .isNotEqualTo(NumberedProducer.hash(0, 2, 3))
                .isNotEqualTo(NumberedProducer.hash(1, 3, 3))
                .isNotEqualTo(NumberedProducer.hash(1, 2, 2));
    }
}
