package dev.escapement.bench.measure;

import dev.escapement.state.snapshot.PoseBlocks;

/**
 * A run that is over: the figures, the distributions and curves behind them, and the world as it was last shown.
 *
 * @param result    the figures
 * @param ticks     measured on the physics thread
 * @param frames    measured on the render thread
 * @param path      one body's way
 * @param lastPoses what the last frame showed, the metronome last
 */
public record Performance(
        RunResult result, TickRecorder ticks, FrameRecorder frames, BodyPath path, PoseBlocks lastPoses) {}
