package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.jmh.InputBenchmark.Events;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class HandoffBenchmarksTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4})
    void shouldTakeEachTickThatIsPublishedOnce(int readers) {
        HandoffFloorBenchmark benchmark = new HandoffFloorBenchmark();
        benchmark.readers = readers;
        benchmark.createExchange();
        assertThat(benchmark.escapementNothingNew()).isFalse();
        int taken = 0;
        for (int tick = 1; tick <= 100; tick++) {
            taken += benchmark.escapementHandover() ? 1 : 0;
            assertThat(benchmark.escapementNothingNew()).isFalse();
        }
        assertThat(taken).as("from the first whole window on").isEqualTo(98);
    }

    /**
     * Checks that every contestant hands over the latest of three written ticks, and nothing if there is no new one. The benchmark returns
     * the exclusive or of all floats. All are equal here, and there are seven per body and an odd number of bodies, so the result is the
     * value itself.
     */
    @ParameterizedTest
    @EnumSource
    void shouldReadTheLatestThatWasWritten(HandoffContendedBenchmark.Contestant contestant) {
        HandoffContendedBenchmark benchmark = new HandoffContendedBenchmark();
        benchmark.contestant = contestant;
        benchmark.bodies = 1101;
        benchmark.create();
        assertThat(benchmark.oneReaderRead()).as("nothing yet").isZero();
        for (int value = 0; value < 99; value++) {
            assertThat(benchmark.oneReaderWrite()).isTrue();
            if (value % 3 == 2) {
                assertThat(Float.intBitsToFloat(benchmark.oneReaderRead())).isEqualTo(value);
                assertThat(benchmark.oneReaderRead()).as("nothing new").isZero();
            }
        }
    }

    /** If a send were lost, the test would block until its timeout. If one were answered twice, a value would be left at the end. */
    @Test
    @Timeout(60)
    void shouldGoThereAndBackOnce() throws InterruptedException {
        OneWayBenchmark benchmark = new OneWayBenchmark();
        OneWayBenchmark.Exchanges exchanges = new OneWayBenchmark.Exchanges();
        OneWayBenchmark.Words words = new OneWayBenchmark.Words();
        exchanges.start();
        words.start();
        for (int i = 0; i < 20; i++) {
            benchmark.escapementPublish(exchanges);
            benchmark.floorRelease(words);
        }
        exchanges.end();
        words.end();
        assertThat(exchanges.back.take()).isFalse();
        assertThat(words.back.take()).isFalse();
    }

    /** Both measurements end only if the event arrives, so reaching the end is the check. */
    @Test
    @Timeout(60)
    void shouldShowEachEvent() {
        ResponseBenchmark benchmark = new ResponseBenchmark();
        ResponseBenchmark.Spinning reader = new ResponseBenchmark.Spinning();
        ResponseBenchmark.Frames frames = new ResponseBenchmark.Frames();
        for (int i = 0; i < 3; i++) {
            reader.pause();
            benchmark.eventToSnapshot(reader);
            frames.pause();
            benchmark.eventToFrame(frames);
        }
        reader.close();
        frames.close();
        assertThat(reader.service.lastPublishedTick()).isPositive();
    }

    /** For a fair comparison, ring and queue must have the same capacity, refuse events beyond it, and deliver each event once. */
    @Test
    void shouldDeliverWhatItHoldsAndRefuseTheRest() {
        for (Events events : List.of(new InputBenchmark.Ring(), new InputBenchmark.Queue())) {
            for (int round = 1; round <= 3; round++) {
                for (int i = 0; i < InputBenchmark.CAPACITY + 7; i++) {
                    assertThat(events.offer(System.nanoTime(), i, 1, 2)).isEqualTo(i < InputBenchmark.CAPACITY);
                }
                events.drain();
                assertThat(events.drained).isEqualTo(round * InputBenchmark.CAPACITY);
            }
            long before = events.offerAndDrain();
            assertThat(events.offerAndDrain()).isNotEqualTo(before);
        }
    }
}
