/**
 * Chooses the simulated time that a frame shows.
 *
 * <p>One rendering thread. Start reading at {@link dev.escapement.render.clock.RenderClock}.
 */
@NullMarked
package dev.escapement.render.clock;

import org.jspecify.annotations.NullMarked;
