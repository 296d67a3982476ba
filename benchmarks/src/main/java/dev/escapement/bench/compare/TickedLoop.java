package dev.escapement.bench.compare;

import dev.escapement.bench.compare.TwoLatestPicture.AlphaRule;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.loop.FrameClock;
import dev.escapement.physics.loop.FramePolicy;
import dev.escapement.render.FrameView;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.TickRate;
import dev.escapement.state.time.TimeScale;

/** A loop that runs the constant ticks that a policy makes due, then draws. */
final class TickedLoop implements GameLoop {

    private final WorkClock clock;
    private final FrameClock released;
    private final InlineDriver driver;
    private final Picture picture;
    private int mostTicks = Integer.MAX_VALUE;
    private int mostReadings = 1;

    /** What a frame draws of a scene. */
    @FunctionalInterface
    interface Drawing {

        /** The last tick. */
        Drawing NEWEST = (reader, scene) -> TwoLatestPicture.within(reader, scene, AlphaRule.newest());

        /** A blend of the last two ticks. */
        Drawing BLENDED = (reader, scene) -> Picture.of(FrameView.inline(reader), scene);

        /** Beyond the last tick, as the one before it went on. */
        Drawing EXTRAPOLATED = TwoLatestPicture::beyond;

        /** A picture that nothing has been drawn of. */
        Picture picture(SnapshotReader reader, TickedScene scene);
    }

    /** A loop at the speed of real time, whose frames run all that is due and read the clock once. */
    TickedLoop(TickedScene scene, TickRate rate, WorkClock clock, FramePolicy policy, Drawing drawing) {
        this.clock = clock;
        released = new FrameClock(clock, policy);
        driver = PhysicsService.builder(scene)
                .rate(rate)
                .windowSize(2)
                .maxReaders(1)
                .inline(released);
        picture = drawing.picture(driver.newReader(), scene);
    }

    /** Lets a frame run no more ticks than that. */
    TickedLoop mostTicks(int ticks) {
        mostTicks = ticks;
        return this;
    }

    /** Lets a frame read the clock so often while it finds more ticks due. */
    TickedLoop mostReadings(int readings) {
        mostReadings = readings;
        return this;
    }

    /** Sets the speed of the world. */
    TickedLoop scale(TimeScale scale) {
        driver.timeScale(scale);
        return this;
    }

    @Override
    public void frame() {
        for (int reading = 0; reading < mostReadings; reading++) {
            released.beginFrame();
            if (driver.runDueTicks(mostTicks) == 0) {
                break;
            }
        }
        picture.frame(released.nanoTime(), released.nanoTime());
        clock.spend(LoadProfile.DRAW_NANOS);
    }

    @Override
    public Picture picture() {
        return picture;
    }
}
