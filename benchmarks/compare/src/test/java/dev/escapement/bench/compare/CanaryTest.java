package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.bench.compare.Comparison.Result;
import dev.escapement.render.FrameView;
import dev.escapement.state.exchange.Window;
import org.junit.jupiter.api.Test;

/** Services that are broken on purpose: the measure must find each. */
class CanaryTest {

    /** What a broken service does to the moment it shows: the tick before it, and how far it is blended. */
    @FunctionalInterface
    private interface Fault {
        Moment of(FrameView view, long frame);
    }

    private record Moment(long tick, double alpha) {}

    @Test
    void shouldFindNothingInOneThatIsNotBroken() {
        Result result = measured((view, frame) -> new Moment(view.shownTick(), view.alpha()));
        assertThat(result.errorMicros().mean()).isLessThan(10);
    }

    @Test
    void shouldCatchAReversedAlpha() {
        Result result = measured((view, frame) -> new Moment(view.shownTick(), 1 - view.alpha()));
        assertThat(result.errorMicros().mean()).isGreaterThan(5000);
    }

    /** One frame in fifty shows the pair of ticks beside the right one. */
    @Test
    void shouldCatchAClockThatIsOneTickOffNowAndThen() {
        Result result = measured((view, frame) -> {
            Window window = view.window();
            boolean newestPair = view.shownTick() + 1 == window.newestTick();
            long off = newestPair ? view.shownTick() - 1 : view.shownTick() + 1;
            return new Moment(frame % 50 == 0 ? off : view.shownTick(), view.alpha());
        });
        assertThat(result.errorMicros().mean()).isGreaterThan(300);
        assertThat(result.errorMicros().p99()).isGreaterThan(9900);
    }

    /** A tenth of a tick at most, and always to the same side: nobody would see it, but the measure does. */
    @Test
    void shouldCatchAnAlphaInTenSteps() {
        Result result = measured((view, frame) -> new Moment(view.shownTick(), Math.floor(view.alpha() * 10) / 10));
        assertThat(result.errorMicros().mean()).isGreaterThan(50);
    }

    private static Result measured(Fault fault) {
        Case run = new Case(Contestant.SERVICE_3, LoadProfile.HEAVY, RefreshCase.FPS_144);
        return VirtualContest.measure(
                run, loops -> loops.threads().start(loops, 3, reader -> new Broken(FrameView.of(reader), fault)));
    }

    private static final class Broken extends Picture {

        private final FrameView view;
        private final Fault fault;
        private long frame;

        Broken(FrameView view, Fault fault) {
            this.view = view;
            this.fault = fault;
        }

        @Override
        void frame(long nowNanos, long displayNanos) {
            frame++;
            if (!view.advance(nowNanos, displayNanos)) {
                return;
            }
            Moment moment = fault.of(view, frame);
            Window window = view.window();
            int index = (int) (moment.tick() - window.oldestTick());
            float from = window.snapshot(index).poses().block(0).px[0];
            float to = window.snapshot(index + 1).poses().block(0).px[0];
            float x = (float) Picture.blend(from, to, moment.alpha());
            drawn(x, moment.tick(), window.timeline().rate(), 0);
        }
    }
}
