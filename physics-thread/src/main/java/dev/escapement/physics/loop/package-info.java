/**
 * The game loops of the literature, for an {@link dev.escapement.physics.InlineDriver}: a
 * {@link dev.escapement.physics.loop.FrameClock} lets time pass from frame to frame, and a
 * {@link dev.escapement.physics.loop.FramePolicy} says how much of it. Everything else, which ticks are due, what is left for
 * the blend, follows from the timeline.
 *
 * <p>Used by the thread that runs the frames. Start reading at {@link dev.escapement.physics.loop.FrameClock}.
 */
@NullMarked
package dev.escapement.physics.loop;

import org.jspecify.annotations.NullMarked;
