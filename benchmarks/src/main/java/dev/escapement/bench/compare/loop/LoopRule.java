package dev.escapement.bench.compare.loop;

import dev.escapement.bench.compare.picture.AlphaRule;
import dev.escapement.bench.compare.picture.Picture;
import dev.escapement.bench.compare.picture.TwoLatestPicture;
import dev.escapement.bench.compare.picture.ViewPicture;
import dev.escapement.bench.compare.scene.TickedScene;
import dev.escapement.physics.loop.FramePolicy;
import dev.escapement.render.FrameView;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.time.TimeScale;
import java.util.function.BiFunction;

/**
 * What tells one loop of constant ticks from another.
 *
 * @param policy       how much time a frame lets pass
 * @param mostTicks    how many ticks a frame runs at most
 * @param mostReadings how often a frame reads the clock while it finds more ticks due
 * @param scale        the speed of the world
 * @param picture      what a frame draws
 */
record LoopRule(
        FramePolicy policy,
        int mostTicks,
        int mostReadings,
        TimeScale scale,
        BiFunction<SnapshotReader, TickedScene, Picture> picture) {

    /** Draws the last tick. */
    static LoopRule newest(FramePolicy policy) {
        return drawing(policy, (reader, scene) -> TwoLatestPicture.within(reader, scene, AlphaRule.newest()));
    }

    /** Blends the last two ticks. */
    static LoopRule blended(FramePolicy policy) {
        return drawing(policy, (reader, scene) -> new ViewPicture(FrameView.inline(reader), scene));
    }

    /** Goes on from the last tick. */
    static LoopRule extrapolated(FramePolicy policy) {
        return drawing(policy, TwoLatestPicture::beyond);
    }

    LoopRule mostTicks(int ticks) {
        return new LoopRule(policy, ticks, mostReadings, scale, picture);
    }

    LoopRule mostReadings(int readings) {
        return new LoopRule(policy, mostTicks, readings, scale, picture);
    }

    LoopRule scale(TimeScale newScale) {
        return new LoopRule(policy, mostTicks, mostReadings, newScale, picture);
    }

    private static LoopRule drawing(FramePolicy policy, BiFunction<SnapshotReader, TickedScene, Picture> picture) {
        return new LoopRule(policy, Integer.MAX_VALUE, 1, TimeScale.ONE, picture);
    }
}
