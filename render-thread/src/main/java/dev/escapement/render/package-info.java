/**
 * A renderer's side: {@link dev.escapement.render.FrameView} for a loop of one's own, or
 * {@link dev.escapement.render.RenderLoop} for a thread with its own rate.
 *
 * <p>Everything here belongs to one rendering thread, except where a method says otherwise.
 */
@NullMarked
package dev.escapement.render;

import org.jspecify.annotations.NullMarked;
