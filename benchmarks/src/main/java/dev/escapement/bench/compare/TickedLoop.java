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
import java.util.function.BiFunction;

/** A loop that runs constant ticks by a rule, then draws. */
final class TickedLoop implements GameLoop {

    private final WorkClock clock;
    private final Rule rule;
    private final FrameClock released;
    private final InlineDriver driver;
    private final Picture picture;

    /**
     * How one loop of constant ticks differs from another.
     *
     * @param policy       how much time a frame lets pass
     * @param mostTicks    how many ticks a frame runs at most
     * @param mostReadings how often a frame reads the clock while it finds more ticks due
     * @param scale        the speed of the world
     * @param picture      what a frame draws
     */
    record Rule(
            FramePolicy policy,
            int mostTicks,
            int mostReadings,
            TimeScale scale,
            BiFunction<SnapshotReader, TickedScene, Picture> picture) {

        /** Draws the last tick. */
        static Rule newest(FramePolicy policy) {
            return drawing(policy, (reader, scene) -> TwoLatestPicture.within(reader, scene, AlphaRule.newest()));
        }

        /** Blends the last two ticks. */
        static Rule blended(FramePolicy policy) {
            return drawing(policy, (reader, scene) -> new ViewPicture(FrameView.inline(reader), scene));
        }

        /** Goes on from the last tick. */
        static Rule extrapolated(FramePolicy policy) {
            return drawing(policy, TwoLatestPicture::beyond);
        }

        Rule mostTicks(int ticks) {
            return new Rule(policy, ticks, mostReadings, scale, picture);
        }

        Rule mostReadings(int readings) {
            return new Rule(policy, mostTicks, readings, scale, picture);
        }

        Rule scale(TimeScale newScale) {
            return new Rule(policy, mostTicks, mostReadings, newScale, picture);
        }

        private static Rule drawing(FramePolicy policy, BiFunction<SnapshotReader, TickedScene, Picture> picture) {
            return new Rule(policy, Integer.MAX_VALUE, 1, TimeScale.ONE, picture);
        }
    }

    TickedLoop(TickedScene scene, TickRate rate, WorkClock clock, Rule rule) {
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
