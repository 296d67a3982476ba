package dev.escapement.state.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.time.ManualClock;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Tests refused offers of a view in this process and of a plain ring, and a device that one service after the other borrows. */
class RefusedOffersTest {

    @Nested
    class OfAView extends RefusedOffersContract {

        private final TrackedSource source = new RemoteSources(ring).local();

        OfAView() {
            super(new InputRing(CAPACITY, RefusedOffersTest.this.clock), RefusedOffersTest.this.clock);
        }

        @Override
        protected void pass() {
            RefusedOffersTest.this.clock.advance(125_000);
        }

        @Override
        protected boolean press(int key) {
            source.offer(clock.nanoTime(), InputKind.KEY_DOWN, key, 0, 0);
            return true;
        }

        @Override
        protected void release(int key) {
            source.offer(clock.nanoTime(), InputKind.KEY_UP, key, 0, 0);
        }

        @Override
        protected boolean move(float x, float y) {
            source.offer(clock.nanoTime(), InputKind.POINTER_MOVED, 0, x, y);
            return true;
        }

        @Override
        protected void idle() {
            source.catchUp();
        }
    }

    /** Moves of every kind, also of a drag, leave the last quarter of the ring free for other events. */
    @Test
    void shouldKeepRoomForKeysInAPlainRing() {
        InputRing ring = new InputRing(64, () -> 0);
        assertThat(ring.offer(0, InputKind.KEY_DOWN, 1, 0, 0)).isTrue();
        for (int i = 0; i < 200; i++) {
            ring.offer(0, InputKind.POINTER_MOVED, 0, i, i);
            ring.offer(0, InputKind.AXIS_MOVED, 0, 1, 0);
            DragInput.to(ring, 0, i, i, i);
        }
        assertThat(ring.waiting()).isEqualTo(48);
        assertThat(ring.offer(0, InputKind.KEY_UP, 1, 0, 0)).isTrue();
        assertThat(ring.offer(0, InputKind.AXIS_MOVED, 0, 0, 0)).isTrue();
        assertThat(DragInput.end(ring, 0)).isTrue();
        assertThat(ring.offer(0, InputKind.WHEEL, 0, 0, 1))
                .as("which no later scroll makes up for")
                .isTrue();
        assertThat(new InputSampler(ring).sample(0, 0).state().isKeyDown(1)).isFalse();
    }

    /** A button event carries a position, and each of several pointers has its own. */
    @Test
    void shouldKeepThePositionsOfButtonsAndPointers() {
        InputRing ring = new InputRing(4, () -> 0);
        InputSampler sampler = new InputSampler(ring);
        TrackedSource source = new RemoteSources(ring).local();
        while (ring.offer(0, InputKind.APPLICATION, 0, 0, 0)) {
            // fills the ring
        }
        assertThat(source.offer(0, InputKind.POINTER_DOWN, 1, 3, 4)).as("kept").isTrue();
        source.offer(0, InputKind.POINTER_MOVED, 0, 5, 6);
        source.offer(0, InputKind.POINTER_MOVED, 63, 7, 8);
        assertThat(source.offer(0, InputKind.APPLICATION, 9, 0, 0))
                .as("what nothing makes up for")
                .isFalse();
        assertThat(ring.rejected()).as("none that the view keeps").isEqualTo(2);
        sampler.sample(0, 0);
        source.catchUp();
        InputFrame frame = sampler.sample(0, 0);
        assertThat(frame.size()).isEqualTo(3);
        assertThat(frame.event(0)).hasToString("InputEvent[#4 POINTER_MOVED 0 (5.0, 6.0) at 0 ns]");
        assertThat(frame.event(1)).hasToString("InputEvent[#5 POINTER_MOVED 63 (7.0, 8.0) at 0 ns]");
        assertThat(frame.event(2)).hasToString("InputEvent[#6 POINTER_DOWN 1 (3.0, 4.0) at 0 ns]");
        source.catchUp();
        assertThat(sampler.sample(0, 0).size()).isZero();
    }

    private final ManualClock clock = new ManualClock(0);
    private final InputRing first = new InputRing(16, clock);
    private final InputRing next = new InputRing(2, clock);
    private final InputSampler nextSampler = new InputSampler(next);

    /** The device's reports, one entry for each poll. */
    private final Deque<Consumer<InputSink>> polls = new ArrayDeque<>();

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

    private void press(InputSink ring, int key) {
        assertThat(ring.offer(clock.nanoTime(), InputKind.KEY_DOWN, key, 0, 0)).isTrue();
    }
}
