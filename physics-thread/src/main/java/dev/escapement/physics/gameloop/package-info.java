/**
 * Game loops for an {@link dev.escapement.physics.InlineDriver}: with a
 * {@link dev.escapement.physics.gameloop.FrameClock} time passes from frame to frame, and a
 * {@link dev.escapement.physics.gameloop.FramePolicy} decides how much. Which ticks are due, and alpha, follow from the timeline.
 *
 * <p>Used by the thread that runs the frames. Start reading at {@link dev.escapement.physics.gameloop.FrameClock}.
 */
@NullMarked
package dev.escapement.physics.gameloop;

import org.jspecify.annotations.NullMarked;
