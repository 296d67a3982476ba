package dev.escapement.bench.compare.loop;

import dev.escapement.bench.compare.contest.LoadProfile;
import dev.escapement.bench.compare.picture.Picture;
import dev.escapement.bench.compare.scene.TickedScene;
import dev.escapement.bench.compare.scene.WorkClock;
import dev.escapement.physics.InlineDriver;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.loop.FrameClock;
import dev.escapement.state.time.TickRate;

/** Constant ticks by a rule, then a picture. */
final class TickedLoop implements GameLoop {

    private final WorkClock clock;
    private final LoopRule rule;
    private final FrameClock released;
    private final InlineDriver driver;
    private final Picture picture;

    TickedLoop(TickedScene scene, TickRate rate, WorkClock clock, LoopRule rule) {
        this.clock = clock;
        this.rule = rule;
        released = new FrameClock(clock, rule.policy());
        driver = PhysicsService.builder(scene)
                .rate(rate)
                .windowSize(2)
                .maxReaders(1)
                .inline(released);
        driver.timeScale(rule.scale());
        picture = rule.picture().apply(driver.newReader(), scene);
    }

    @Override
    public void frame() {
        for (int reading = 0; reading < rule.mostReadings(); reading++) {
            released.beginFrame();
            if (driver.runDueTicks(rule.mostTicks()) == 0) {
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
