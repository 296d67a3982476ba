/**
 * Chooses the simulated time that a frame shows, and measures how far the shown motion is from true motion.
 *
 * <p>One rendering thread. Start reading at {@link dev.escapement.render.clock.RenderClock}.
 */
@NullMarked
package dev.escapement.render.clock;

import org.jspecify.annotations.NullMarked;
