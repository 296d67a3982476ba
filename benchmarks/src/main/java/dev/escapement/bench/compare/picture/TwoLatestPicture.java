package dev.escapement.bench.compare.picture;

import dev.escapement.bench.compare.scene.TickedScene;
import dev.escapement.bench.loop.Extrapolation;
import dev.escapement.state.exchange.SnapshotReader;
import dev.escapement.state.exchange.Window;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;

/**
 * Draws the two latest snapshots, blended by a rule, and stops where the rule wants more than there is.
 *
 * <p>Render thread only.
 */
public final class TwoLatestPicture extends Picture {

    private static final double MOST_EXTRAPOLATED = 2;

    private final SnapshotReader reader;
    private final TickedScene scene;
    private final AlphaRule rule;
    private final double mostAlpha;

    private TwoLatestPicture(SnapshotReader reader, TickedScene scene, AlphaRule rule, double mostAlpha) {
        this.reader = reader;
        this.scene = scene;
        this.rule = rule;
        this.mostAlpha = mostAlpha;
    }

    /** Between the two. */
    public static TwoLatestPicture within(SnapshotReader reader, TickedScene scene, AlphaRule rule) {
        return new TwoLatestPicture(reader, scene, rule, 1);
    }

    /** From the newest on, up to a tick beyond it. */
    public static TwoLatestPicture beyond(SnapshotReader reader, TickedScene scene) {
        return new TwoLatestPicture(reader, scene, AlphaRule.extrapolated(), MOST_EXTRAPOLATED);
    }

    @Override
    public void frame(long nowNanos, long displayNanos) {
        reader.acquire();
        if (!reader.hasWindow()) {
            return;
        }
        Window window = reader.window();
        double wanted = rule.alpha(window, nowNanos);
        if (wanted > mostAlpha) {
            hold();
        }
        double alpha = Math.max(0, Math.min(wanted, mostAlpha));
        Snapshot earlier = window.snapshot(window.size() - 2);
        int probe = scene.probeSlot();
        int ball = scene.ballSlot();
        double x = Extrapolation.interpolate(x(earlier, probe), x(window.newest(), probe), alpha);
        double y = Extrapolation.interpolate(y(earlier, ball), y(window.newest(), ball), alpha);
        drawn((float) x, window.newestTick() - 1, window.timeline().rate(), y);
    }

    private static float x(Snapshot snapshot, int slot) {
        return snapshot.poses().blockOf(slot).px[slot & PoseBlock.MASK];
    }

    private static float y(Snapshot snapshot, int slot) {
        return snapshot.poses().blockOf(slot).py[slot & PoseBlock.MASK];
    }
}
