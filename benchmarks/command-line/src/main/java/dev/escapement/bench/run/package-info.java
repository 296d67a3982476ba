/**
 * The main job: an engine on the physics thread, frames on the render thread, a player that pushes, and everything measured. A replay
 * re-simulates the world from a log and compares the states.
 *
 * <p>Start reading at {@link dev.escapement.bench.run.MainJob}; {@link dev.escapement.bench.run.ReplayCommand} repeats a recorded run.
 */
@NullMarked
package dev.escapement.bench.run;

import org.jspecify.annotations.NullMarked;
