package dev.escapement.bench.stress;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProcessWatchTest {

    @Test
    void shouldMeasureTheHeapWithoutGarbage() {
        ProcessWatch watch = new ProcessWatch();
        watch.collected(); // other tests have left what only a second collection takes
        long before = watch.collected().heapAfterGcBytes();
        byte[][] kept = new byte[64][1 << 20];
        long garbage = 0;
        for (int i = 0; i < 64; i++) {
            garbage += new byte[1 << 20].length;
        }
        ProcessWatch.Sample after = watch.collected();
        assertThat(garbage).isEqualTo(64L << 20);
        assertThat(after.heapAfterGcBytes() - before).isBetween(56L << 20, 72L << 20);
        assertThat(kept).hasDimensions(64, 1 << 20);
    }
}
