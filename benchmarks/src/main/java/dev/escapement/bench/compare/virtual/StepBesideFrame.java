package dev.escapement.bench.compare.virtual;

import dev.escapement.bench.compare.contest.LoadProfile;
import dev.escapement.bench.compare.loop.GameLoop;
import dev.escapement.bench.compare.picture.AlphaRule;
import dev.escapement.bench.compare.picture.Picture;
import dev.escapement.bench.compare.picture.TwoLatestPicture;
import dev.escapement.bench.compare.scene.TickedScene;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.loop.Accumulator;
import dev.escapement.physics.loop.FrameClock;
import dev.escapement.state.time.TickRate;

/**
 * The ticks that are due when a frame begins run beside its drawing, which shows the state before them; the frame is over when both
 * are. Here one follows the other, and takes only what it takes longer.
 */
final class StepBesideFrame implements GameLoop {

    private final VirtualClock clock;
    private final FrameClock released;
    private final InlineDriver driver;
    private final Picture picture;

    StepBesideFrame(TickedScene scene, TickRate rate, VirtualClock clock) {
        this.clock = clock;
        released = new FrameClock(clock, new Accumulator(250_000_000));
        driver = PhysicsService.builder(scene)
                .rate(rate)
                .windowSize(2)
                .maxReaders(1)
                .inline(released);
        picture = TwoLatestPicture.within(driver.newReader(), scene, AlphaRule.newest());
    }

    @Override
    public void frame() {
        long beginNanos = clock.nanoTime();
        picture.frame(beginNanos, beginNanos);
        released.beginFrame();
        driver.runDueTicks();
        clock.spendUntil(Math.max(clock.nanoTime(), beginNanos + LoadProfile.DRAW_NANOS));
    }

    @Override
    public Picture picture() {
        return picture;
    }
}
