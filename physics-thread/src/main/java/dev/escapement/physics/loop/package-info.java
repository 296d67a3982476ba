/**
 * The game loops of the literature, for an {@link dev.escapement.physics.InlineDriver}: with a
 * {@link dev.escapement.physics.loop.FrameClock} time passes from frame to frame, and a {@link dev.escapement.physics.loop.FramePolicy}
 * decides how much. Everything else, such as which ticks are due and alpha, follows from the timeline.
 *
 * <p>Used by the thread that runs the frames. Start reading at {@link dev.escapement.physics.loop.FrameClock}.
 */
@NullMarked
package dev.escapement.physics.loop;

import org.jspecify.annotations.NullMarked;
