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
     * Every contestant hands over the latest of three written ticks, and only if there is one. The test compares the exclusive or of all
     * floats: of seven equal floats in each of an odd number of bodies, one remains.
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

    /** A lost send would block the test for ever; taking a send twice would find a number that was not sent. */
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

    /** Both measurements end only if the event arrives. */
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
        assertThat(reader.service.lastTick()).isPositive();
    }

    /** Ring and queue have the same capacity, refuse further events, and deliver each event once, so the benchmark is fair. */
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
