package dev.escapement.bench.measure;

import dev.escapement.render.FrameView;
import dev.escapement.state.snapshot.PoseBlock;
import dev.escapement.state.snapshot.Snapshot;
import dev.escapement.state.time.TickRate;

/** The height of one body: at each tick as it was simulated, at each frame as it was shown. */
public final class BodyPath {

    private final int body;
    private final Series ticks;
    private final Series frames;
    private long newestTick;

    /**
     * A path without points.
     *
     * @param body           whose path
     * @param expectedTicks  about how many ticks there will be
     * @param expectedFrames about how many frames there will be
     */
    public BodyPath(int body, double expectedTicks, double expectedFrames) {
        this.body = body;
        ticks = new Series(expectedTicks);
        frames = new Series(expectedFrames);
    }

    /** Render thread: adds a frame, and the ticks its window shows for the first time. */
    public void add(FrameView view) {
        TickRate rate = view.window().timeline().rate();
        for (int i = 0; i < view.window().size(); i++) {
            Snapshot snapshot = view.window().snapshot(i);
            if (snapshot.tick() > newestTick) {
                newestTick = snapshot.tick();
                double seconds = rate.nanosAt(newestTick) / 1e9;
                if (body < snapshot.poses().slotCount()) {
                    ticks.add(seconds, height(snapshot.poses().blockOf(body)));
                }
            }
        }
        if (body < view.poses().slotCount()) {
            double seconds = view.clock().shownSimNanos() / 1e9;
            frames.add(seconds, height(view.interpolator().block(body >>> PoseBlock.SHIFT)));
        }
    }

    /** Simulated seconds, metres: one point per tick. */
    public Series ticks() {
        return ticks;
    }

    /** Simulated seconds, metres: one point per frame. */
    public Series frames() {
        return frames;
    }

    private double height(PoseBlock block) {
        return block.py[body & PoseBlock.MASK];
    }
}
