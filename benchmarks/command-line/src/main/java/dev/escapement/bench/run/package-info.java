/**
 * The main job: an engine on the physics thread, frames on the render thread, a player that pushes, and everything measured. The world can
 * also be re-simulated from a log, and twice per tick to compare both.
 *
 * <p>Start reading at {@link dev.escapement.bench.run.MainJob}; {@link dev.escapement.bench.run.ReplayCommand} repeats a recorded run.
 */
@NullMarked
package dev.escapement.bench.run;

import org.jspecify.annotations.NullMarked;
