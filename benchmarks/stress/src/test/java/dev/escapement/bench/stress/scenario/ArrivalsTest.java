package dev.escapement.bench.stress.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.stress.scenario.InputLedger.Arrivals;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ArrivalsTest {

    private final Arrivals arrivals = new Arrivals();

    private void arrive(long... places) {
        for (long place : places) {
            arrivals.add(place, place, (float) place);
        }
    }

    private void assertFound(long lost, long doubled, long reordered) {
        assertThat(arrivals.lost).as("lost").isEqualTo(lost);
        assertThat(arrivals.doubled).as("doubled").isEqualTo(doubled);
        assertThat(arrivals.reordered).as("reordered").isEqualTo(reordered);
    }

    @Test
    void shouldFindNothing() {
        arrive(0, 1, 2, 3);
        assertFound(0, 0, 0);
        assertThat(arrivals.arrived).isEqualTo(4);
    }

    @Test
    void shouldFindWhatIsLost() {
        arrive(1, 2, 5);
        assertFound(3, 0, 0);
    }

    @Test
    void shouldFindDoubles() {
        arrive(0, 0, 1, 2, 1);
        assertFound(0, 2, 0);
    }

    @Test
    void shouldTellReorderedFromLost() {
        arrive(0, 2, 1, 3, 6, 4);
        assertFound(1, 0, 2);
    }

    @Test
    void shouldTellALatecomerFromItsDouble() {
        arrive(0, 2, 1, 1);
        assertFound(0, 1, 1);
    }

    @Test
    void shouldForgetWhatIsMissingTooLong() {
        arrive(100);
        assertFound(100, 0, 0);
        arrive(36, 35);
        assertFound(99, 1, 1);
    }

    @Test
    void shouldSumUpTheSameInEveryOrder() {
        Arrivals others = new Arrivals();
        LongStream.of(2, 0, 1).forEach(place -> others.add(place, place, (float) place));
        arrive(0, 1, 2);
        assertThat(arrivals.hashSum).isEqualTo(others.hashSum);
        others.add(3, 3, 3);
        arrivals.add(3, 4, 3);
        assertThat(arrivals.hashSum).isNotEqualTo(others.hashSum);
    }
}
