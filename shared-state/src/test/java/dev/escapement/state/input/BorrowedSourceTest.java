package dev.escapement.state.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.time.ManualClock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Tests a device that one service after the other borrows. */
class BorrowedSourceTest {

    private final ManualClock clock = new ManualClock(0);
    private final InputRing first = new InputRing(16, clock);
    private final InputRing next = new InputRing(2, clock);
    private final InputSampler nextSampler = new InputSampler(next);

    /** The device's reports, one entry for each poll. */
    private final Deque<Consumer<InputRing>> polls = new ArrayDeque<>();

    private final BorrowedSource lent = new BorrowedSource(ring -> {
        if (!polls.isEmpty()) {
            polls.remove().accept(ring);
        }
    });

    /** The key came up while no service polled the device. The device stamps the event with its true time. */
    @Test
    void shouldReportWhatHappenedMeanwhileAfterWhatWasHeld() {
        polls.add(ring -> press(ring, 1));
        lent.poll(first);
        clock.advance(50);
        polls.add(ring -> ring.offer(20, InputKind.KEY_UP, 1, 0, 0));
        lent.poll(next);
        InputFrame frame = nextSampler.sample(0, 50);
        assertThat(frame.event(0).kind()).isEqualTo(InputKind.KEY_DOWN);
        assertThat(frame.event(1).kind()).isEqualTo(InputKind.KEY_UP);
        assertThat(frame.state().isKeyDown(1)).isFalse();
    }

    @Test
    void shouldPollTheDeviceOnlyAfterTheHeldLevels() {
        polls.add(ring -> {
            press(ring, 1);
            press(ring, 2);
            press(ring, 3);
        });
        lent.poll(first);
        polls.add(ring -> press(ring, 4));
        lent.poll(next);
        assertThat(polls).as("the ring has room for two").hasSize(1);
        assertThat(nextSampler.sample(0, 0).size()).isEqualTo(2);
        lent.poll(next);
        assertThat(polls).isEmpty();
        InputFrame frame = nextSampler.sample(0, 0);
        assertThat(frame.event(0).code()).isEqualTo(3);
        assertThat(frame.event(1).code()).isEqualTo(4);
    }

    @Test
    void shouldTakeHeldLevelsAndPositionsToAnEarlierClock() {
        clock.advance(5_000_000_000L);
        polls.add(ring -> ring.offer(clock.nanoTime(), InputKind.POINTER_DOWN, 1, 3, 4));
        lent.poll(first);
        InputRing earlier = new InputRing(16, new ManualClock(7));
        InputSampler sampler = new InputSampler(earlier);
        lent.poll(earlier);
        InputFrame frame = sampler.sample(0, 7);
        assertThat(frame.state().isPointerDown(1)).isTrue();
        assertThat(frame.event(0).x()).isEqualTo(3);
        assertThat(frame.event(0).y()).isEqualTo(4);
        lent.poll(earlier);
        assertThat(sampler.sample(7, 8).size()).as("reported once").isZero();
    }

    /** The service closes its ring just before the key comes up. */
    @Test
    void shouldNotHoldKeysReleasedWhileTheRingWasClosed() {
        polls.add(ring -> {
            press(ring, 1);
            press(ring, 2);
            first.close();
            assertThat(ring.offer(clock.nanoTime(), InputKind.KEY_UP, 1, 0, 0)).isFalse();
        });
        lent.poll(first);
        lent.poll(next);
        InputState state = nextSampler.sample(0, 0).state();
        assertThat(state.isKeyDown(1)).isFalse();
        assertThat(state.isKeyDown(2)).isTrue();
    }

    private void press(InputRing ring, int key) {
        assertThat(ring.offer(clock.nanoTime(), InputKind.KEY_DOWN, key, 0, 0)).isTrue();
    }
}
