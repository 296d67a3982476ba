package dev.escapement.state.exchange;

import static dev.escapement.state.exchange.ExchangeFixture.assertConsecutiveAndWhole;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Runs random steps of the writer and all readers, one at a time, and checks all invariants after every step. */
class ExchangeRandomisedTest {

    @ParameterizedTest
    @CsvSource({"2, 1", "3, 2", "3, 3"})
    void shouldKeepEveryGuaranteeAfterEveryStep(int windowSize, int readers) {
        SplittableRandom random = new SplittableRandom(windowSize * 31L + readers);
        ExchangeFixture fixture = new ExchangeFixture(windowSize, readers);
        SnapshotReader[] attached = new SnapshotReader[readers];
        long[] seen = new long[readers];
        long[] seenChanges = new long[readers];
        long publishedChanges = 0;
        for (int step = 0; step < 20_000; step++) {
            int who = random.nextInt(readers + 2);
            if (who >= readers) {
                if (random.nextBoolean()) {
                    fixture.write();
                }
                if (fixture.published > 0 && random.nextInt(3) == 0) {
                    fixture.changeTimeline();
                }
                if (random.nextInt(4) == 0) {
                    fixture.exchange.writer().publishTimeline(fixture.timeline);
                } else {
                    fixture.publish();
                }
                publishedChanges = fixture.timeline.changes();
            } else if (attached[who] == null) {
                attached[who] = fixture.exchange.attach();
            } else if (random.nextInt(10) == 0) {
                attached[who].close();
                attached[who] = null;
            } else {
                attached[who].acquire();
                boolean enough = fixture.published >= windowSize;
                assertThat(attached[who].hasWindow()).isEqualTo(enough);
                if (enough) {
                    long newest = attached[who].window().newestTick();
                    assertThat(newest).as("fresh").isEqualTo(fixture.published);
                    assertThat(newest).as("never backwards").isGreaterThanOrEqualTo(seen[who]);
                    seen[who] = newest;
                    seenChanges[who] = publishedChanges;
                }
            }
            fixture.exchange.writer().checkInvariants();
            for (int r = 0; r < readers; r++) {
                if (attached[r] != null && attached[r].hasWindow()) {
                    assertConsecutiveAndWhole(attached[r].window());
                    assertThat(attached[r].window().timeline().changes())
                            .as("the timeline of the publish")
                            .isEqualTo(seenChanges[r]);
                }
            }
        }
    }
}
