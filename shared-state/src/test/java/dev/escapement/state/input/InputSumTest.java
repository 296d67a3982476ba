package dev.escapement.state.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.time.ManualClock;
import java.util.BitSet;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every accepted event is counted exactly once at any time: as received by a tick, waiting, dropped, or passed to a listener. */
class InputSumTest {

    private static final int CAPACITY = 8;

    private final ManualClock clock = new ManualClock(0);
    private final InputRing ring = new InputRing(CAPACITY, clock);
    private final InputSampler sampler = new InputSampler(ring);

    /** The sequence numbers of the events that ticks received. */
    private final BitSet given = new BitSet();

    private long heard;

    private long thrown;

    private long droppedLate;

    /** Drag ends that the sampler itself added to ticks. */
    private long ownEnds;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void shouldCountEachAcceptedEventOnce(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        boolean keepsLate = random.nextBoolean();
        if (keepsLate) {
            sampler.keepLateEvents();
        }
        for (int i = 0; i < 20_000; i++) {
            clock.advance(random.nextInt(4));
            long nowNanos = clock.nanoTime();
            switch (random.nextInt(8)) {
                case 0, 1 -> offer(random, nowNanos + random.nextInt(-12, 20));
                case 2 -> tick(nowNanos - random.nextInt(12)); // some drained events are not due yet
                case 3 -> drain(random, nowNanos);
                case 4 -> sampler.drainRing();
                case 5 -> takeLate(random);
                case 6 -> offer(random, nowNanos);
                default -> endDrag(random);
            }
            assertThat(given.cardinality() + sampler.pending() + ring.droppedWhilePaused() + heard + droppedLate)
                    .as("step %d at %d", i, nowNanos)
                    .isEqualTo(ring.accepted());
        }
        assertThat(ring.droppedWhilePaused()).isPositive();
        assertThat(heard).isGreaterThan(thrown);
        assertThat(thrown).isPositive();
        assertThat(droppedLate > 0).isEqualTo(keepsLate);
        assertThat(ownEnds).isPositive();
    }

    private void offer(SplittableRandom random, long nanos) {
        switch (random.nextInt(4)) {
            case 0 -> DragInput.hold(ring, nanos, 1);
            case 1 -> DragInput.end(ring, nanos);
            case 2 -> ring.offer(nanos, InputKind.KEY_DOWN, random.nextInt(4), 0, 0);
            default -> ring.offer(nanos, InputKind.KEY_UP, random.nextInt(4), 0, 0);
        }
    }

    private void drain(SplittableRandom random, long nowNanos) {
        try {
            sampler.drainWhilePaused(
                    nowNanos,
                    random.nextBoolean()
                            ? null
                            : (event, state) -> {
                                heard++;
                                if (random.nextInt(4) == 0) {
                                    throw new IllegalStateException("menu");
                                }
                            });
        } catch (IllegalStateException ofListener) { // the events that the listener has not received still wait
            thrown++;
        }
    }

    private void tick(long samplingNanos) {
        InputFrame frame = sampler.sample(samplingNanos - 10, samplingNanos);
        for (int i = 0; i < frame.size(); i++) {
            give(frame.event(i));
        }
    }

    private void give(InputEvent event) {
        if (event.sequence() >= 0) {
            assertThat(given.get((int) event.sequence())).as("given before").isFalse();
            given.set((int) event.sequence());
        } else {
            assertThat(DragInput.isEnd(event)).isTrue();
            ownEnds++;
        }
    }

    private void takeLate(SplittableRandom random) {
        if (sampler.nextLate() == null) {
            return;
        }
        if (random.nextBoolean()) {
            give(sampler.takeLate());
        } else {
            sampler.dropLate();
            droppedLate++;
        }
    }

    private void endDrag(SplittableRandom random) {
        if (random.nextInt(8) == 0) {
            sampler.endAnyDrag();
        }
    }
}
