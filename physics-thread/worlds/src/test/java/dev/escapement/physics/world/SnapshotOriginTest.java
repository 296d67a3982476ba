package dev.escapement.physics.world;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotOriginTest {

    private final SnapshotOrigin origin = new SnapshotOrigin();

    private boolean follows(double... places) {
        for (double x : places) {
            origin.see(x, -x, 0);
        }
        return origin.follow();
    }

    @Test
    void shouldStayUntilMostOfWhatMovesIsElsewhere() {
        assertThat(follows()).isFalse();
        assertThat(follows(6144, -6144, 100_000)).isFalse();
        assertThat(follows(1, 100_000)).as("as many there as here").isFalse();
        assertThat(follows(1, 100_000, -200_000, 300_000)).as("far apart").isFalse();
        assertThat(follows(1, -200_000, 100_000, 100_001, 100_002, 100_003)).isTrue();
        assertThat(origin.at).containsExactly(100_032, -100_032, 0);
        assertThat(follows(100_000, 106_000, 94_000)).isFalse();
        assertThat(follows(0, 1)).isTrue();
        assertThat(origin.at[0]).isZero();
    }

    /** Each move of the origin makes streams send all bodies anew, and views draw them anew. */
    @Test
    void shouldNotMoveToAndFro() {
        int moves = 0;
        for (int look = 0; look < 100; look++) {
            moves +=
                    follows(0, 0, 50_000, 50_000, 50_000, 150_000, 150_000, 150_000, 150_000, 150_000, 150_000) ? 1 : 0;
        }
        assertThat(moves).isEqualTo(1);
        assertThat(origin.at[0]).isEqualTo(150_016);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 6})
    void shouldLeaveWhereNothingIsAlsoIfAllIsScattered(int places) {
        double[] scattered = new double[places];
        for (int i = 0; i < places; i++) {
            scattered[i] = 1e7 + 20_000 * i;
        }
        assertThat(follows(scattered)).isTrue();
        assertThat(DoubleStream.of(scattered)).anyMatch(x -> Math.abs(x - origin.at[0]) <= 32);
        assertThat(follows(scattered)).as("it is near one").isFalse();
        assertThat(follows()).isFalse();
    }

    @Test
    void shouldIgnorePlacesThatAreNone() {
        assertThat(follows(Double.NaN, Double.POSITIVE_INFINITY, 1e19)).isFalse();
    }
}
