package dev.escapement.state.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.snapshot.BodyId;
import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RemoteSourcesTest {

    private final ManualClock clock = new ManualClock(0);
    private final InputRing ring = new InputRing(4, clock);
    private final InputSampler sampler = new InputSampler(ring);
    private final RemoteSources sources = new RemoteSources(ring);
    private final InputRing roomy = new InputRing(16, clock);
    private final InputSampler roomySampler = new InputSampler(roomy);

    @Test
    void shouldReleaseWhatAFullRingHadNoRoomFor() {
        TrackedSource source = sources.join();
        assertThat(source.ring().offer(0, InputKind.KEY_DOWN, 1, 0, 0)).isTrue();
        assertThat(DragInput.hold(source.ring(), 0, BodyId.of(1, 1))).isTrue();
        assertThat(ring.offer(0, InputKind.KEY_DOWN, 3, 0, 0))
                .as("now it is full")
                .isTrue();
        sources.leave(source);
        assertThat(sources.release()).isFalse();
        assertThat(source.ring().offer(0, InputKind.KEY_DOWN, 2, 0, 0))
                .as("one that is gone")
                .isFalse();
        assertThat(reported()).hasSize(4);
        assertThat(sources.release()).isTrue();
        assertThat(reported()).containsExactly("KEY_UP 1 of 1", "SENDER_LEFT 0 of 1");
        assertThat(sources.release()).isTrue();
        assertThat(reported()).isEmpty();
    }

    /** The local sender never leaves, so its leave cannot end the drag. */
    @Test
    void shouldEndTheDragOfAViewOfThisProcess() {
        TrackedSource window = sources.local();
        DragInput.hold(window.ring(), 0, BodyId.of(1, 1));
        DragInput.to(window.ring(), 0, 1, 2, 3);
        ring.offer(0, InputKind.KEY_DOWN, 3, 0, 0); // takes the place that moves leave free
        sources.leave(window);
        assertThat(sources.release()).as("the ring is full").isFalse();
        assertThat(reported()).hasSize(4);
        assertThat(sources.release()).isTrue();
        assertThat(reported()).containsExactly("APPLICATION " + DragInput.END + " of 0");
        TrackedSource another = sources.local();
        DragInput.hold(another.ring(), 0, BodyId.of(1, 1));
        DragInput.end(another.ring(), 0);
        sources.leave(another);
        assertThat(reported()).as("it has let go itself").hasSize(2);
    }

    /** The physics thread makes room while {@code close} waits. */
    @Test
    void shouldWaitForRoomWhenItIsClosed() throws Exception {
        TrackedSource source = sources.join();
        source.ring().offer(0, InputKind.KEY_DOWN, 1, 0, 0);
        source.ring().offer(0, InputKind.KEY_DOWN, 2, 0, 0);
        source.ring().offer(0, InputKind.KEY_DOWN, 3, 0, 0);
        sources.leave(source);
        Thread physics = new Thread(this::reported);
        physics.start();
        sources.close();
        physics.join();
        assertThat(sources.release()).isTrue();
        assertThat(sampler.sample(0, 0).state().isKeyDown(1)).isFalse();
    }

    /** A held ring refuses only for a while, so the releases must wait. A closed ring refuses for ever and needs none. */
    @Test
    void shouldReleaseOnceAHeldRingIsOpen() {
        TrackedSource source = sources.join();
        source.ring().offer(0, InputKind.KEY_DOWN, 1, 0, 0);
        reported();
        ring.hold();
        sources.leave(source);
        assertThat(sources.release()).as("held").isFalse();
        ring.open();
        assertThat(sources.release()).isTrue();
        assertThat(reported()).containsExactly("KEY_UP 1 of 1", "SENDER_LEFT 0 of 1");
        TrackedSource another = sources.join();
        ring.close();
        sources.leave(another);
        assertThat(sources.release()).as("closed").isTrue();
    }

    /** The next tick receives the last end once, however often a drag begins and ends in the pause. */
    @Test
    void shouldDeliverTheEndOfADragAfterAPause() {
        for (int i = 0; i < 5; i++) {
            DragInput.end(ring, clock.nanoTime());
            DragInput.hold(ring, clock.nanoTime(), BodyId.of(1, 1));
            sampler.drainWhilePaused(clock.nanoTime(), null);
            clock.advance(1);
        }
        assertThat(ring.droppedWhilePaused()).as("that end was not offered").isEqualTo(10);
        assertThat(reported()).containsExactly("APPLICATION " + DragInput.END + " of 0");
        assertThat(reported()).isEmpty();
    }

    @Test
    void shouldReleaseAllThatWasHeldAndNothingElse() {
        TrackedSource left = new TrackedSource(roomy, 0);
        InputRing source = left.ring();
        offer(source, InputKind.KEY_DOWN, 1, 0);
        offer(source, InputKind.POINTER_DOWN, 2, 0);
        offer(source, InputKind.BUTTON_DOWN, 3, 0);
        offer(source, InputKind.AXIS_MOVED, 4, -1);
        offer(source, InputKind.KEY_DOWN, 5, 0);
        offer(source, InputKind.KEY_UP, 5, 0);
        offer(source, InputKind.AXIS_MOVED, 6, 1);
        offer(source, InputKind.AXIS_MOVED, 6, 0);
        offer(source, InputKind.POINTER_MOVED, 7, 1);
        offer(source, InputKind.APPLICATION, 8, 1);
        offer(source, InputKind.WHEEL, 8, 1);
        offer(roomy, InputKind.KEY_DOWN, 9, 0);
        roomySampler.sample(0, 0);
        left.leave();
        assertThat(left.release()).isTrue();
        InputFrame frame = roomySampler.sample(0, 0);
        assertThat(reported(frame))
                .containsExactly("KEY_UP 1 of 0", "POINTER_UP 2 of 0", "BUTTON_UP 3 of 0", "AXIS_MOVED 4 of 0");
        assertThat(frame.state().axis(4)).isZero();
        assertThat(frame.state().isKeyDown(9)).as("an event of no producer").isTrue();
        assertThat(left.release()).isTrue();
        assertThat(reported(roomySampler.sample(0, 0))).isEmpty();
    }

    /** The release carries the time of the leave, not the time at which the ring had room or a tick sampled. */
    @Test
    void shouldStampReleasesWithTheLoss() {
        TrackedSource left = new TrackedSource(roomy, 0);
        InputRing source = left.ring();
        offer(source, InputKind.KEY_DOWN, 1, 0);
        clock.advance(10);
        left.leave();
        clock.advance(10);
        left.release();
        assertThat(roomySampler.sample(0, 20).event(1).timeNanos()).isEqualTo(10);
    }

    /** Another producer pressed key 1, and the ring accepted that press. */
    @Test
    void shouldNotReleaseWhatTheRingHasRefused() {
        TrackedSource left = new TrackedSource(roomy, 0);
        InputRing source = left.ring();
        offer(roomy, InputKind.KEY_DOWN, 1, 0);
        offer(source, InputKind.KEY_DOWN, 2, 0);
        while (offer(roomy, InputKind.APPLICATION, 0, 0)) {
            // fills the ring
        }
        offer(source, InputKind.KEY_DOWN, 1, 0);
        offer(source, InputKind.AXIS_MOVED, 3, 1);
        roomySampler.sample(0, 0);
        left.leave();
        assertThat(left.release()).isTrue();
        InputFrame frame = roomySampler.sample(0, 0);
        assertThat(reported(frame)).containsExactly("KEY_UP 2 of 0");
        assertThat(frame.state().isKeyDown(1)).isTrue();
    }

    private static boolean offer(InputRing way, InputKind kind, int code, float x) {
        return way.offer(0, kind, code, x, 0);
    }

    private List<String> reported() {
        return reported(sampler.sample(clock.nanoTime(), clock.nanoTime()));
    }

    private static List<String> reported(InputFrame frame) {
        List<String> reported = new ArrayList<>();
        for (int i = 0; i < frame.size(); i++) {
            InputEvent event = frame.event(i);
            reported.add(event.kind() + " " + event.code() + " of " + event.sender());
        }
        return reported;
    }
}
