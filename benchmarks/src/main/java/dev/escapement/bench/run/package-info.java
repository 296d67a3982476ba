/**
 * The main job: an engine on the physics thread, frames on the render thread, a player that pushes, and everything measured.
 *
 * <p>Start reading at {@link dev.escapement.bench.run.MainJob}.
 */
@NullMarked
package dev.escapement.bench.run;

import org.jspecify.annotations.NullMarked;
