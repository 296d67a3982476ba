package dev.escapement.render;

import static dev.escapement.render.PublishedWorld.TICK_NANOS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.render.interpolation.Interpolation;
import org.junit.jupiter.api.Test;

class PredictionErrorTest {

    @Test
    void shouldReportHowFarWhatIsDrawnIsFromTheTruth() {
        PublishedWorld world = LookAheadTest.world(LookAheadTest::cost, LookAheadTest::bounces);
        Interpolation how = Interpolation.DEFAULT.lookAhead(1);
        FrameView known = FrameView.of(world.newReader());
        FrameView young = FrameView.of(world.newReader(), how);
        PredictionError none = new PredictionError(Interpolation.DEFAULT);
        PredictionError error = new PredictionError(how);
        for (long nanos = 10 * TICK_NANOS; nanos < 610 * TICK_NANOS; nanos += LookAheadTest.FRAME_NANOS) {
            world.runUntil(nanos);
            known.advance(nanos);
            young.advance(nanos);
            none.frame(known);
            error.frame(young);
        }
        assertThat(none.count()).isGreaterThan(800);
        assertThat(none.millimetres(100)).isZero();
        assertThat(none.milliradians(100)).isZero();
        assertThat(error.unknownFrames()).isZero();
        assertThat(error.count()).isGreaterThan(800);
        // It bounces every 30 ticks, and is wrong by up to the double way of a tick until that is known.
        assertThat(error.millimetres(100)).isBetween(30.0, 2100.0 * LookAheadTest.WAY_A_TICK);
        assertThat(error.millimetres(80)).isLessThan(0.01);
        error.reset();
        assertThat(error.count()).isZero();
        assertThat(error)
                .hasToString("PredictionError[p99 0.000 mm, largest 0.000 mm;"
                        + " p99 0.000 mrad, largest 0.000 mrad; 0 frames unknown]");
    }

    @Test
    void shouldNotMeasureBodiesThatRest() {
        PublishedWorld world = LookAheadTest.world(LookAheadTest::cost, (tick, poses) -> {
            poses.bodyCount(100);
            for (int body = 1; body < 100; body++) {
                poses.set(body, body, 0, 0, 0.1f, 0.5f, 0.7f, 0.5f);
            }
            poses.set(0, (float) tick, 0, 0, 0, 0, 0, 1);
        });
        Interpolation how = Interpolation.DEFAULT.lookAhead(1);
        FrameView view = FrameView.of(world.newReader(), how);
        PredictionError error = new PredictionError(how);
        int frames = 0;
        for (long nanos = 10 * TICK_NANOS; nanos < 60 * TICK_NANOS; nanos += TICK_NANOS / 20, frames++) {
            world.runUntil(nanos);
            view.advance(nanos);
            error.frame(view);
        }
        assertThat(error.count() + error.unknownFrames()).as("one body moves").isBetween(frames - 40L, (long) frames);
        assertThat(error.count()).as("of 2,000 frames a second").isGreaterThan(100);
    }
}
