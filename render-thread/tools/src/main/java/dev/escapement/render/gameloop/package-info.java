/**
 * Game loops for an {@code InlineDriver}: with a
 * {@link dev.escapement.render.gameloop.FrameClock} time passes from frame to frame, and a
 * {@link dev.escapement.render.gameloop.FramePolicy} decides how much. Which ticks are due, and alpha, follow from the timeline.
 *
 * <p>Used by the thread that runs the frames. Start reading at {@link dev.escapement.render.gameloop.FrameClock}.
 */
@NullMarked
package dev.escapement.render.gameloop;

import org.jspecify.annotations.NullMarked;
