package dev.escapement.bench.compare;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.state.time.TickRate;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** When frames begin, what they see and when they are displayed. Steps of 1 to 8 ms, 100 a second. */
class TwoThreadsTest {

    private static final long MILLI = 1_000_000;
    private static final TickRate RATE = TickRate.hertz(100);
    private static final TickRate DISPLAY = TickRate.hertz(240);
    private static final LoadProfile LOAD = LoadProfile.HEAVY;

    private final List<Frame> frames = new ArrayList<>();

    private record Frame(long beginNanos, long expectedNanos, long shownTick) {}

    @Test
    void shouldBeginAFrameInEverySlotAndExpectItInTheNext() {
        run(Contestant.NEWEST, new VirtualDisplay(DISPLAY));
        for (int i = 0; i < frames.size(); i++) {
            assertThat(frames.get(i).beginNanos()).isEqualTo(DISPLAY.nanosAt(i));
            assertThat(frames.get(i).expectedNanos()).isEqualTo(DISPLAY.nanosAt(i + 1));
        }
        assertThat(frames).hasSizeGreaterThan(200);
    }

    /** The exchange is read in the middle of steps, and shows the tick before. */
    @Test
    void shouldShowATickFromTheEndOfItsStepOn() {
        run(Contestant.NEWEST, new VirtualDisplay(DISPLAY));
        int inTheMiddle = 0;
        for (Frame frame : frames) {
            long published = publishedTick(frame.beginNanos());
            assertThat(frame.shownTick()).isEqualTo(published < 2 ? 0 : published); // two make a window
            inTheMiddle += published < RATE.tickAt(frame.beginNanos()) ? 1 : 0;
        }
        assertThat(inTheMiddle).isBetween(50, 150);
    }

    /** Under one lock a frame never begins within a step, and one that had to wait shows what came of it. */
    @Test
    void shouldKeepFramesOutOfStepsUnderALock() {
        run(Contestant.LOCK_AND_COPY, new VirtualDisplay(DISPLAY));
        int waited = 0;
        for (Frame frame : frames) {
            long dueTick = RATE.tickAt(frame.beginNanos());
            long stepEnd = RATE.nanosAt(dueTick) + (dueTick == 0 ? 0 : LOAD.costNanos(dueTick));
            assertThat(frame.beginNanos()).isGreaterThanOrEqualTo(stepEnd);
            assertThat(frame.shownTick()).isEqualTo(dueTick);
            waited += dueTick > 0 && frame.beginNanos() == stepEnd ? 1 : 0;
        }
        assertThat(waited).isBetween(40, 100);
    }

    /** Nobody foresees it: the frame that freezes is expected in the next slot. Physics goes on. */
    @Test
    void shouldGoOnTickingThroughAFreeze() {
        run(Contestant.NEWEST, new VirtualDisplay(DISPLAY, 300 * MILLI, 500 * MILLI));
        Frame frozen = frames.get(72);
        Frame next = frames.get(73);
        assertThat(frozen.beginNanos()).isEqualTo(300 * MILLI);
        assertThat(frozen.expectedNanos()).isEqualTo(DISPLAY.nanosAt(73));
        assertThat(next.beginNanos()).isBetween(802 * MILLI, 807 * MILLI);
        assertThat(next.shownTick()).isEqualTo(publishedTick(next.beginNanos()));
    }

    /** The last tick whose step is over. */
    private static long publishedTick(long nanos) {
        long dueTick = RATE.tickAt(nanos);
        return nanos >= RATE.nanosAt(dueTick) + LOAD.costNanos(dueTick) ? dueTick : dueTick - 1;
    }

    private void run(Contestant contestant, VirtualDisplay display) {
        TwoThreads threads = new TwoThreads(display, contestant == Contestant.LOCK_AND_COPY);
        ThreadPattern pattern = ThreadPattern.of(contestant, new TickedScene(LOAD, threads), RATE, 0);
        ThreadPattern watched = new ThreadPattern(
                pattern.simulation(),
                pattern.windowSize(),
                reader -> watched(pattern.picture().apply(reader)));
        ContestantMeter meter = new ContestantMeter(contestant, LOAD, RefreshCase.FPS_240, 0, 0);
        threads.run(watched, RATE, meter, 1000 * MILLI);
        assertThat(meter.measured().result().frames()).isEqualTo(frames.size());
    }

    private Picture watched(Picture picture) {
        return new Picture() {
            @Override
            public void frame(long nowNanos, long displayNanos) {
                picture.frame(nowNanos, displayNanos);
                long shownNanos = picture.shownSimNanos();
                frames.add(new Frame(nowNanos, displayNanos, RATE.tickAt(shownNanos)));
                drawn(shownNanos, picture.ballHeight());
            }
        };
    }
}
