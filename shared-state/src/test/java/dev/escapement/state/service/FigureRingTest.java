package dev.escapement.state.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class FigureRingTest {

    private enum Figure {
        NUMBER,
        TWICE
    }

    private final FigureRing ring = new FigureRing(4, Figure.values().length);

    @Test
    void shouldKeepAllRowsButOneAndCountThoseThatAReaderMissed() {
        FigureRing.Reader slow = ring.newReader();
        FigureRing.Reader justInTime = ring.newReader();
        for (int number = 1; number <= 3; number++) {
            write(number);
        }
        assertThat(justInTime.next()).isTrue();
        assertThat(justInTime.get(Figure.NUMBER)).isEqualTo(1);
        assertThat(justInTime.missed()).isZero();

        for (int number = 4; number <= 10; number++) {
            write(number);
        }
        for (int number = 8; number <= 10; number++) {
            assertThat(slow.next()).isTrue();
            assertThat(slow.get(Figure.NUMBER)).isEqualTo(number);
        }
        assertThat(slow.next()).isFalse();
        assertThat(slow.missed()).isEqualTo(7);
    }

    @Test
    void shouldNotShowARowBeforeItsEndNorWhatAnUnfinishedOneLeft() {
        FigureRing.Reader reader = ring.newReader();
        ring.begin();
        ring.set(Figure.NUMBER, 1);
        ring.set(Figure.TWICE, 2);
        assertThat(reader.next()).isFalse();

        ring.begin(); // the tick threw: the next one begins the same row
        ring.set(Figure.NUMBER, 5);
        ring.end();
        assertThat(reader.next()).isTrue();
        assertThat(reader.get(Figure.NUMBER)).isEqualTo(5);
        assertThat(reader.get(Figure.TWICE)).isZero();
    }

    /** Holds for every interleaving: the ring is so small that the writer overtakes the reader all the time. */
    @Test
    void shouldNeverGiveFiguresOfTwoRows() throws Exception {
        FigureRing small = new FigureRing(2, Thread.State.values().length);
        FigureRing.Reader reader = small.newReader();
        int rows = 300_000;
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            for (int number = 1; number <= rows; number++) {
                small.begin();
                for (Thread.State column : Thread.State.values()) {
                    small.set(column, number);
                }
                small.end();
            }
        });
        long got = 0;
        long before = 0;
        while (got + reader.missed() < rows) {
            if (reader.next()) {
                got++;
                long number = reader.get(Thread.State.NEW);
                assertThat(number).isGreaterThan(before).isEqualTo(got + reader.missed());
                for (Thread.State column : Thread.State.values()) {
                    assertThat(reader.get(column)).isEqualTo(number);
                }
                before = number;
            }
        }
        writer.get();
        assertThat(before).isEqualTo(rows);
    }

    @Test
    void shouldRefuseSizesThatNoRingCanHave() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FigureRing(1000, 3))
                .withMessageContaining("has 1000 rows of 3");
        assertThatIllegalArgumentException().isThrownBy(() -> new FigureRing(1, 3));
        assertThatIllegalArgumentException().isThrownBy(() -> new FigureRing(4, 0));
    }

    private void write(long number) {
        ring.begin();
        ring.set(Figure.NUMBER, number);
        ring.set(Figure.TWICE, 2 * number);
        ring.end();
    }
}
