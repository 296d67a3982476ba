/**
 * The main job of {@code escapement run}: an engine on the physics thread, frames on the render thread, a scripted player that pushes
 * bodies, and measurements of all of them. {@code escapement replay} re-simulates such a world from its log and compares the states.
 *
 * <p>Start reading at {@link dev.escapement.bench.run.MainJob}; {@link dev.escapement.bench.run.ReplayCommand} repeats a recorded run.
 */
@NullMarked
package dev.escapement.bench.run;

import org.jspecify.annotations.NullMarked;
