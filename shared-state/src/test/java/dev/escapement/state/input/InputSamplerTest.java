package dev.escapement.state.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.lmax.disruptor.InsufficientCapacityException;
import dev.escapement.state.StackEnd;
import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.ManualClock;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InputSamplerTest {

    private static final int CAPACITY = 16;
    private final ManualClock clock = new ManualClock(0);

    private final InputRing ring = new InputRing(CAPACITY, clock);
    private final InputSampler sampler = new InputSampler(ring);

    @Test
    void shouldRefuseWhenFullAndCount() {
        for (int i = 0; i < CAPACITY; i++) {
            assertThat(offer(1, i)).isTrue();
        }
        assertThat(offer(1, 99)).isFalse();
        assertThat(ring.rejected()).isEqualTo(1);
        assertThat(ring.accepted()).isEqualTo(CAPACITY);
        assertThat(sampler.sample(0, 1).size()).isEqualTo(CAPACITY);
        assertThat(offer(2, 0)).isTrue();
    }

    @Test
    void shouldSayWhichEventsASampleIncludes() {
        SplittableRandom random = new SplittableRandom(7);
        BitSet included = new BitSet();
        List<Long> stamps = new ArrayList<>();
        for (long now = 0; now < 2000; now += 10) {
            for (int i = random.nextInt(12); i > 0; i--) { // at times more events than ring and heap can hold
                long stampNanos = now + random.nextLong(-15, 40);
                if (offer(stampNanos, 1)) {
                    stamps.add(stampNanos);
                }
            }
            InputFrame frame = sampler.sample(now - 10, now);
            for (int i = 0; i < frame.size(); i++) {
                included.set((int) frame.event(i).sequence());
            }
            for (int sequence = 0; sequence < stamps.size(); sequence++) {
                assertThat(sequence < sampler.taken() && stamps.get(sequence) <= now)
                        .as("#%d, stamped %d, at %d", sequence, stamps.get(sequence), now)
                        .isEqualTo(included.get(sequence));
            }
        }
        assertThat(ring.rejected()).as("ring and heap were full").isPositive();
    }

    @Test
    void shouldRefuseWhatCannotBe() {
        assertThat(offer(InputRing.MAX_AHEAD_NANOS, 1)).isTrue();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> offer(InputRing.MAX_AHEAD_NANOS + 1, 1))
                .withMessageContaining("stamped 1000000001 ns ahead of the clock");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ring.offer(1, InputKind.KEY_DOWN, 512, 0, 0))
                .withMessageContaining("KEY_DOWN: key codes are 0 to 511, but the code is 512");
        assertThat(ring.accepted()).isEqualTo(1);
        InputFrame frame = sampler.sample(0, InputRing.MAX_AHEAD_NANOS);
        assertThatExceptionOfType(IndexOutOfBoundsException.class)
                .isThrownBy(() -> frame.event(1))
                .withMessageContaining("Index 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new InputRing(3, clock))
                .withMessageContaining("but is 3");
    }

    /** Each producer finds no ring yet and creates one. Only one ring may win, and no event may be lost in another. */
    @Test
    void shouldLoseNoneOfTheFirstEventsOfManyProducers() throws Exception {
        int producers = 4;
        ExecutorService threads = Executors.newFixedThreadPool(producers);
        for (int round = 0; round < 50; round++) {
            InputRing shared = new InputRing(8192, clock);
            InputSampler taker = new InputSampler(shared);
            CyclicBarrier together = new CyclicBarrier(producers);
            List<Future<Boolean>> offers = new ArrayList<>();
            for (int p = 0; p < producers; p++) {
                int producer = p;
                offers.add(threads.submit(() -> {
                    together.await();
                    return shared.offer(0, InputKind.APPLICATION, producer, 0, 0);
                }));
            }
            for (Future<Boolean> offer : offers) {
                assertThat(offer.get()).isTrue();
            }
            assertThat(codes(taker.sample(0, 0))).as("round %d", round).containsExactlyInAnyOrder(0, 1, 2, 3);
        }
        threads.shutdown();
    }

    private boolean offer(long timeNanos, int code) {
        return ring.offer(timeNanos, InputKind.APPLICATION, code, 0, 0);
    }

    @Test
    void shouldTakeInputInAPauseAfterAFullTick() {
        for (int i = 0; i < CAPACITY; i++) {
            offer(1, i);
        }
        assertThat(sampler.sample(0, 1).size()).isEqualTo(CAPACITY);
        List<Integer> heard = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            offer(2, 100 + i);
            sampler.drainWhilePaused(2, true, (event, state) -> heard.add(event.code()));
        }
        assertThat(heard).containsExactly(100, 101);
        offer(3, 7);
        assertThat(sampler.sample(2, 3).size()).isOne();
    }

    /**
     * Late events wait for a hook that takes them between two ticks. Without that hook, and in a pause without ticks, they must not fill up
     * the ring.
     */
    @Test
    void shouldTakeInputAlthoughNothingTakesLateEvents() {
        sampler.keepLateEvents();
        sampler.sample(0, 10);
        List<Integer> heard = new ArrayList<>();
        for (int i = 0; i < 3 * CAPACITY; i++) {
            assertThat(offer(5, i)).as("late event %d", i).isTrue();
            sampler.drainWhilePaused(20, true, (event, state) -> heard.add(event.code()));
        }
        assertThat(heard)
                .as("the earliest")
                .hasSize(3 * CAPACITY - CAPACITY / 2)
                .startsWith(0, 1, 2);
        offer(15, 100);
        sampler.drainWhilePaused(20, true, (event, state) -> heard.add(event.code()));
        assertThat(heard).last().isEqualTo(100);
        assertThat(offer(5, 101)).isTrue();
        assertThat(sampler.sample(10, 20).event(0).code()).isEqualTo(3 * CAPACITY - CAPACITY / 2);
    }

    @Test
    void shouldCountLateEventsUntilTheyAreTaken() {
        LateInput late = sampler.keepLateEvents();
        sampler.sample(0, 10);
        for (int i = 0; i < 3; i++) {
            offer(5 - i, i);
        }
        sampler.drainRing();
        assertThat(sampler.pending()).isEqualTo(3);
        assertThat(Objects.requireNonNull(late.next()).code()).isEqualTo(2);
        assertThat(late.take().code()).isEqualTo(2);
        assertThat(sampler.pending()).isEqualTo(2);
        late.drop();
        assertThat(sampler.pending()).isEqualTo(1);
        assertThat(sampler.sample(10, 20).size()).isZero();
        assertThat(late.take().code()).isZero();
        assertThat(List.of(sampler.pending(), ring.waiting(), ring.droppedWhilePaused()))
                .containsOnly(0L);
    }

    @Test
    void shouldKeepWhatAListenerThatThrewHasNotHeard() {
        ring.offer(1, InputKind.KEY_DOWN, 1, 0, 0);
        offer(1, 2);
        assertThatIllegalStateException()
                .isThrownBy(() -> sampler.drainWhilePaused(1, true, (event, state) -> {
                    assertThat(state.isKeyDown(1)).isTrue();
                    throw new IllegalStateException("menu");
                }))
                .withMessageContaining("menu");
        assertThat(sampler.pending()).isOne();
        assertThat(sampler.sample(0, 1).event(0).code()).isEqualTo(2);
    }

    private final InputRing small = new InputRing(4, new ManualClock(0));
    private final InputSampler smallSampler = new InputSampler(small);

    @ParameterizedTest
    @CsvSource({"0, 1", "5, 7", "16777215, 1048575", "16777216, 1", "268435455, 1048575", "3, 1048577", "3, -1"})
    void shouldHoldTheBodyOfThisSlotAndGeneration(int slot, int generation) {
        long body = BodyId.of(slot, generation);
        assertThat(DragInput.hold(small, 0, body)).isTrue();
        InputEvent event = smallSampler.sample(0, 0).event(0);
        assertThat(event.code()).isEqualTo(DragInput.HOLD);
        long held = DragInput.body(event);
        assertThat(BodyId.slot(held)).isEqualTo(slot);
        assertThat(DragInput.isSame(held, body)).isTrue();
        assertThat(DragInput.isSame(held, BodyId.of(slot, generation ^ 2))).isFalse();
        assertThat(DragInput.isSame(held, BodyId.of(slot, generation ^ (1 << 19))))
                .isFalse();
        assertThat(DragInput.isSame(held, BodyId.of(slot ^ 1, generation))).isFalse();
        assertThat(DragInput.isSame(held, BodyId.of(slot ^ (1 << 27), generation)))
                .isFalse();
    }

    @Test
    void shouldRefuseASlotOrPositionThatNoWorldHas() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DragInput.hold(small, 0, BodyId.of(268_435_456, 1)))
                .withMessageContaining("slot 268435456");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> DragInput.to(small, 0, 1, Double.NaN, 1e39))
                .withMessageContaining("(1.0, NaN, 1.0E39)");
        assertThat(small.accepted()).isZero();
    }

    @Test
    void shouldSayWhetherTheRingHasRoomForAll() {
        assertThat(DragInput.to(small, 0, 1, 2, 3)).isTrue();
        assertThat(DragInput.hold(small, 0, BodyId.of(1, 1))).isTrue();
        assertThat(DragInput.to(small, 0, 1, 2, 3)).as("room for a part of it").isFalse();
        assertThat(DragInput.hold(small, 0, BodyId.of(1, 1))).isFalse();
        assertThat(DragInput.end(small, 0)).isFalse();
        smallSampler.sample(0, 0);
        assertThat(DragInput.end(small, 0)).isTrue();
        assertThat(smallSampler.sample(0, 0).event(0).code()).isEqualTo(DragInput.END);
    }

    private int next;

    @Test
    void shouldLoseNothingWhereTheStackEnds() throws IOException, InterruptedException {
        StackEnd.assertFindsNothing(OffersAtStackEnd.class);
    }

    @Test
    void shouldPassEntriesThatWereAbandonedInEveryLap() throws Exception {
        for (int lap = 0; lap < 3; lap++) {
            abandon(claim());
            offer();
            abandon(claim());
            abandon(claim());
            assertThat(codes()).containsExactly(lap);
        }
        assertThat(small.accepted()).isEqualTo(3);
        assertThat(small.rejected()).isEqualTo(9);
        assertThat(small.waiting()).isZero();
        assertThat(smallSampler.taken()).isEqualTo(3);
    }

    @Test
    void shouldStillWaitForAProducerThatIsOnlySuspended() throws Exception {
        abandon(claim());
        long suspended = claim();
        offer();
        assertThat(codes()).isEmpty();
        assertThat(small.accepted()).as("that being written included").isEqualTo(2);
        publish(suspended, 7);
        assertThat(codes()).containsExactly(7, 0);
    }

    @Test
    void shouldTakeWhatWasPublishedBeforeItsOfferThrew() throws Exception {
        long late = claim();
        publish(late, 7);
        abandon(late);
        assertThat(codes()).containsExactly(7);
        assertThat(small.accepted()).isEqualTo(1);
        assertThat(small.rejected()).isZero();
    }

    private void offer() {
        assertThat(small.offer(0, InputKind.APPLICATION, next++, 0, 0)).isTrue();
    }

    /**
     * Makes only the first step of an offer. The test completes it by {@code publish}, or by {@code abandon}, as an error between the steps
     * would.
     */
    private long claim() throws InsufficientCapacityException {
        return small.entries().ring.tryNext();
    }

    private void publish(long sequence, int code) {
        small.entries().ring.get(sequence).set(0, 0, InputKind.APPLICATION, code, 0, 0);
        small.entries().ring.publish(sequence);
    }

    private void abandon(long sequence) {
        small.entries().ring.get(sequence).abandoned = sequence;
    }

    private List<Integer> codes() {
        return codes(smallSampler.sample(0, 0));
    }

    private static List<Integer> codes(InputFrame frame) {
        List<Integer> codes = new ArrayList<>();
        for (int i = 0; i < frame.size(); i++) {
            codes.add(frame.event(i).code());
        }
        return codes;
    }

    /** Offers events from the end of a stack upwards until one has room. Every accepted event must arrive, and the counts must agree. */
    private static final class OffersAtStackEnd implements Callable<String> {

        private static final int ROUNDS = 200;

        private final InputRing ring = new InputRing(1 << 14, new ManualClock(0));
        private final Set<Integer> accepted = new HashSet<>();
        private int offers;

        @Override
        public String call() throws InterruptedException {
            InputSampler sampler = new InputSampler(ring);
            StackEnd stackEnd = new StackEnd(this::offer);
            long arrived = 0;
            for (int round = 0; round < ROUNDS; round++) {
                stackEnd.reach(round);
                List<Integer> codes = codes(sampler.sample(0, 0));
                codes.forEach(accepted::remove);
                arrived += codes.size();
                if (!accepted.isEmpty() || ring.accepted() != arrived || ring.waiting() != 0) {
                    return "round " + round + " lost " + accepted + ", accepted " + ring.accepted() + " of " + arrived;
                }
            }
            return stackEnd.errors() < ROUNDS ? "only " + stackEnd.errors() + " offers failed" : "";
        }

        private void offer() {
            int code = offers++;
            if (ring.offer(0, InputKind.APPLICATION, code, 0, 0)) {
                accepted.add(code);
            }
        }
    }
}
