package dev.escapement.bench.jmh;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.jmh.InputContestant.InputQueue;
import dev.escapement.bench.jmh.InputContestant.TimedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An unfair benchmark is worth nothing: every contestant delivers each event once and in order, and refuses what is too much. */
class InputContestantTest {

    private static final int CAPACITY = 1024;
    private static final int PRODUCERS = 4;
    private static final int EACH = 5000;

    private final List<TimedEvent> taken = new ArrayList<>();

    private void take(long timeNanos, int code, float x, float y) {
        taken.add(new TimedEvent(timeNanos, code, x, y));
    }

    @ParameterizedTest
    @EnumSource
    void shouldDeliverWhatWasOffered(InputContestant contestant) {
        InputQueue queue = contestant.create(CAPACITY, this::take);
        List<TimedEvent> offered = new ArrayList<>();
        assertThat(queue.drain()).isZero();
        for (int round = 0; round < 10; round++) {
            for (int i = 0; i < CAPACITY; i++) {
                TimedEvent event = new TimedEvent(System.nanoTime(), offered.size(), round, i);
                offered.add(event);
                assertThat(queue.offer(event.timeNanos(), event.code(), event.x(), event.y()))
                        .isTrue();
            }
            assertThat(queue.drain()).isEqualTo(CAPACITY);
            assertThat(queue.drain()).isZero();
        }
        assertThat(taken).isEqualTo(offered);
        assertThat(queue.refused()).isZero();
    }

    @ParameterizedTest
    @EnumSource
    void shouldRefuseWhatIsTooMuch(InputContestant contestant) {
        InputQueue queue = contestant.create(CAPACITY, this::take);
        for (int round = 1; round <= 3; round++) {
            for (int i = 0; i < CAPACITY + 7; i++) {
                assertThat(queue.offer(System.nanoTime(), i, 0, 0)).isEqualTo(i < CAPACITY);
            }
            assertThat(queue.refused()).isEqualTo(7L * round);
            assertThat(queue.drain()).isEqualTo(CAPACITY);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldDeliverEveryEventOfManyProducersOnceAndInOrder(InputContestant contestant) throws Exception {
        InputQueue queue = contestant.create(CAPACITY, this::take);
        ExecutorService threads = Executors.newFixedThreadPool(PRODUCERS);
        List<Future<Long>> producers = new ArrayList<>();
        for (int p = 0; p < PRODUCERS; p++) {
            int producer = p;
            producers.add(threads.submit(() -> offerAll(queue, producer)));
        }
        while (!producers.stream().allMatch(Future::isDone)) {
            queue.drain();
        }
        queue.drain();
        threads.shutdown();
        long refusals = 0;
        for (Future<Long> producer : producers) {
            refusals += producer.get();
        }
        assertThat(queue.refused()).isEqualTo(refusals);
        assertThat(taken).hasSize(PRODUCERS * EACH);
        int[] next = new int[PRODUCERS];
        for (TimedEvent event : taken) {
            assertThat(event.x()).as("producer %d", event.code()).isEqualTo(next[event.code()]++);
        }
    }

    private static long offerAll(InputQueue queue, int producer) {
        long refusals = 0;
        for (int i = 0; i < EACH; i++) {
            while (!queue.offer(System.nanoTime(), producer, i, 0)) {
                refusals++;
                Thread.onSpinWait();
            }
        }
        return refusals;
    }
}
