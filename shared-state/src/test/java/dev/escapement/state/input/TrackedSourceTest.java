package dev.escapement.state.input;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.time.ManualClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests what a producer that left still holds, and how it is released. */
class TrackedSourceTest {

    private final ManualClock clock = new ManualClock(0);
    private final InputRing ring = new InputRing(16, clock);
    private final InputSampler sampler = new InputSampler(ring);
    private final TrackedSource source = new TrackedSource(ring, 0);
    private final InputRing way = source.ring();

    @Test
    void shouldReleaseAllThatWasHeldAndNothingElse() {
        offer(way, InputKind.KEY_DOWN, 1, 0);
        offer(way, InputKind.POINTER_DOWN, 2, 0);
        offer(way, InputKind.BUTTON_DOWN, 3, 0);
        offer(way, InputKind.AXIS_MOVED, 4, -1);
        offer(way, InputKind.KEY_DOWN, 5, 0);
        offer(way, InputKind.KEY_UP, 5, 0);
        offer(way, InputKind.AXIS_MOVED, 6, 1);
        offer(way, InputKind.AXIS_MOVED, 6, 0);
        offer(way, InputKind.POINTER_MOVED, 7, 1);
        offer(way, InputKind.APPLICATION, 8, 1);
        offer(way, InputKind.WHEEL, 8, 1);
        offer(ring, InputKind.KEY_DOWN, 9, 0);
        sampler.sample(0, 0);
        source.leave();
        assertThat(source.release()).isTrue();
        InputFrame frame = sampler.sample(0, 0);
        assertThat(reported(frame)).containsExactly("KEY_UP 1", "POINTER_UP 2", "BUTTON_UP 3", "AXIS_MOVED 4");
        assertThat(frame.state().axis(4)).isZero();
        assertThat(frame.state().isKeyDown(9)).as("an event of no producer").isTrue();
        assertThat(source.release()).isTrue();
        assertThat(reported(sampler.sample(0, 0))).isEmpty();
    }

    /** The release carries the time of the leave, not the time at which the ring had room or a tick sampled. */
    @Test
    void shouldStampReleasesWithTheLoss() {
        offer(way, InputKind.KEY_DOWN, 1, 0);
        clock.advance(10);
        source.leave();
        clock.advance(10);
        source.release();
        assertThat(sampler.sample(0, 20).event(1).timeNanos()).isEqualTo(10);
    }

    /** Another producer pressed key 1, and the ring accepted that press. */
    @Test
    void shouldNotReleaseWhatTheRingHasRefused() {
        offer(ring, InputKind.KEY_DOWN, 1, 0);
        offer(way, InputKind.KEY_DOWN, 2, 0);
        while (offer(ring, InputKind.APPLICATION, 0, 0)) {
            // fills the ring
        }
        offer(way, InputKind.KEY_DOWN, 1, 0);
        offer(way, InputKind.AXIS_MOVED, 3, 1);
        sampler.sample(0, 0);
        source.leave();
        assertThat(source.release()).isTrue();
        InputFrame frame = sampler.sample(0, 0);
        assertThat(reported(frame)).containsExactly("KEY_UP 2");
        assertThat(frame.state().isKeyDown(1)).isTrue();
    }

    private static boolean offer(InputRing way, InputKind kind, int code, float x) {
        return way.offer(0, kind, code, x, 0);
    }

    private static List<String> reported(InputFrame frame) {
        List<String> reported = new ArrayList<>();
        for (int i = 0; i < frame.size(); i++) {
            reported.add(frame.event(i).kind() + " " + frame.event(i).code());
        }
        return reported;
    }
}
