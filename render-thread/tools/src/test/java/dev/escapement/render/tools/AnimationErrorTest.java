package dev.escapement.render.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.escapement.state.ChildJvm;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;
import dev.escapement.state.time.Timeline;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AnimationErrorTest {

    private final AnimationError error = new AnimationError("slot");
    private final Timeline timeline = new Timeline(TickRate.hertz(100));

    @BeforeEach
    void startTime() {
        timeline.start(0);
    }

    @Test
    void shouldCompareThePicturesMotionWithSimulatedTime() {
        error.frame(0, timeline, 100);
        assertThat(error.frame(5, timeline, 110)).isEqualTo(-5);
        assertThat(error.frame(20, timeline, 120)).isEqualTo(5);
        assertThat(error.frame(20, timeline, 130)).as("a held frame").isEqualTo(-10);
        assertThat(error.meanNanos()).isCloseTo(20 / 3.0, within(1e-9));
        assertThat(error.maxNanos()).isEqualTo(10);
    }

    @Test
    void shouldNotAskForMotionInTimeThatWasSkipped() {
        error.frame(40_000_000, timeline, 60_000_000);
        timeline.skip(5, 3); // nothing moves from 50 to 80 ms
        assertThat(error.frame(40_000_000, timeline, 70_000_000)).isZero();
        assertThat(error.frame(45_000_000, timeline, 85_000_000)).isZero();
    }

    @Test
    void shouldCountNothingWhereTheTimelineDoesNotReachBack() {
        error.frame(0, timeline, 5);
        for (int gap = 1; gap <= 20; gap++) {
            timeline.skip(2L * gap, 1);
        }
        assertThat(error.frame(7, timeline, timeline.dueNanos(41))).isZero();
        assertThat(error.count()).isZero();
    }

    @Test
    void shouldMeasureOnAJavaRuntimeWithoutJfr() throws Exception {
        assertThat(ChildJvm.output("--limit-modules=java.logging,java.management,jdk.unsupported", Main.class, ""))
                .isEqualTo("an error of -5 ns");
    }

    static final class Main {

        public static void main(String[] args) {
            AnimationErrorTest test = new AnimationErrorTest();
            test.startTime();
            test.error.frame(0, test.timeline, 100);
            System.out.println("an error of " + test.error.frame(5, test.timeline, 110) + " ns");
        }
    }

    /** Simulated time stands still from 20 to 50 ms. The picture stops and starts 15 ms later. */
    @Test
    void shouldNotMeasureAPauseUntilThePictureMovesAgain() {
        error.frame(0, timeline, 15_000_000);
        timeline.pause(2);
        error.frame(10_000_000, timeline, 25_000_000);
        error.frame(20_000_000, timeline, 45_000_000);
        timeline.resume(50_000_000, TimeScale.ONE);
        error.frame(20_000_000, timeline, 55_000_000);
        error.frame(22_000_000, timeline, 67_000_000);
        assertThat(error.count()).isZero();
        assertThat(error.frame(31_000_000, timeline, 77_000_000)).isEqualTo(-1_000_000);
        assertThat(error.count()).isEqualTo(1);
    }

    /** The second frame is of a world with the same clock, but another simulated time. */
    @Test
    void shouldNotCompareAFrameWithOneOfAnotherWorld() {
        error.frame(1_000, timeline, 100);
        error.restart();
        assertThat(error.frame(10, timeline, 110)).isZero();
        assertThat(error.frame(20, timeline, 120)).isZero();
        assertThat(error.count()).isEqualTo(1);
    }

    /** The world runs 100 frames of 10 ns. The picture stands still in one frame and catches up in the next. */
    @Test
    void shouldWeighAndCountWhatTheEyeSees() {
        for (int frame = 0; frame <= 100; frame++) {
            error.frame(frame == 50 ? 490 : frame * 10L, timeline, frame * 10L);
        }
        assertThat(error.meanNanos()).isEqualTo(0.2);
        assertThat(error.percentileNanos(50)).isZero();
        assertThat(error.percentileNanos(99)).isEqualTo(10);
        assertThat(error.percentileNanos(98)).isZero();
        assertThat(error.repeatsPer10000()).isEqualTo(100);
        assertThat(error.skipsPer10000()).isEqualTo(100);
        error.reset();
        assertThat(error.meanNanos() + error.percentileNanos(100) + error.repeatsPer10000())
                .isZero();
        assertThat(error.frame(1017, timeline, 1010))
                .as("the last frame is still known")
                .isEqualTo(7);
    }

    /** The histogram has three digits: a bucket from 40,992 to 41,023 ns contains the error. */
    @Test
    void shouldReportPercentilesWithThreeDigits() {
        error.frame(0, timeline, 0);
        error.frame(41_000, timeline, 0);
        assertThat(error.percentileNanos(50)).isEqualTo(41_023);
    }

    @Test
    void shouldReportTheFlightRecorderOfEachFrame(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("frames.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("dev.escapement.Frame");
            recording.start();
            error.frame(0, timeline, 100);
            error.frame(5, timeline, 110);
            error.frame(20, timeline, 120);
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> frames = RecordingFile.readAllEvents(file);
        assertThat(frames)
                .extracting(frame -> frame.getString("measure") + " "
                        + frame.getDuration("animationError").toNanos() + " "
                        + frame.getDuration("shownStep").toNanos() + " "
                        + frame.getDuration("trueStep").toNanos())
                .containsExactly("slot -5 5 10", "slot 5 15 10");
    }
}
