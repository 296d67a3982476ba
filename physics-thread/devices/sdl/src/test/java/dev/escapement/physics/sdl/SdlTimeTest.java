package dev.escapement.physics.sdl;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** Tests the conversion with two simulated clocks. The service's clock is read before and after SDL's. */
class SdlTimeTest {

    private static final long AHEAD_NANOS = 5_000_000_000L;

    private long sdlNanos = 1_000;
    private long aheadNanos = AHEAD_NANOS;

    private long readingNanos; // how long a reading of the service's clock takes
    private long betweenNanos; // the time between the readings of the two clocks

    private final SdlTime time = new SdlTime(this::clockNanos, this::sdlNanos);

    private long sdlNanos() {
        sdlNanos += betweenNanos;
        return sdlNanos;
    }

    private long clockNanos() {
        sdlNanos += readingNanos;
        return sdlNanos + aheadNanos;
    }

    /** A ring would refuse a stamp in the future, and the polling service would fail. */
    @Test
    void shouldConvertStampsButNeverToTheFuture() {
        assertThat(time.toClock(400)).isEqualTo(400 + AHEAD_NANOS);
        assertThat(time.toClock(10_000_000_000L)).isEqualTo(1_000 + AHEAD_NANOS);
        sdlNanos += 5_000;
        time.calibrate();
        assertThat(time.toClock(Long.MAX_VALUE - AHEAD_NANOS)).isEqualTo(6_000 + AHEAD_NANOS);
        assertThat(time.toClock(5_999)).isEqualTo(5_999 + AHEAD_NANOS);
    }

    @Test
    void shouldNotBeMovedByAReadingThatWasInterrupted() {
        readingNanos = 3_000_000;
        time.calibrate();
        assertThat(time.toClock(1_000)).isEqualTo(1_000 + AHEAD_NANOS);
        betweenNanos = 3_000_000;
        time.calibrate();
        assertThat(time.toClock(1_000)).isEqualTo(1_000 + AHEAD_NANOS);
    }

    /**
     * The true offset may be anywhere in the bracket, so the nearest end of the bracket is as good as any value in it, and changes the
     * offset least.
     */
    @Test
    void shouldMoveNoFurtherThanAReadingProves() {
        readingNanos = 100;
        betweenNanos = 100;
        aheadNanos = AHEAD_NANOS - 1_000_000;
        time.calibrate();
        assertThat(time.toClock(1_000)).isEqualTo(1_000 + aheadNanos + 100);
        aheadNanos = AHEAD_NANOS;
        time.calibrate();
        assertThat(time.toClock(1_000)).isEqualTo(1_000 + aheadNanos - 100);
    }
}
