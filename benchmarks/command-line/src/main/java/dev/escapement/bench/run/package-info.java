/**
 * The main job: an engine on the physics thread, frames on the render thread, a player that pushes, and everything measured. Its world
 * also runs again from a log, and twice per tick to be compared.
 *
 * <p>Start reading at {@link dev.escapement.bench.run.MainJob}; what was recorded is repeated by
 * {@link dev.escapement.bench.run.ReplayCommand}.
 */
@NullMarked
package dev.escapement.bench.run;

import org.jspecify.annotations.NullMarked;
