/**
 * The rendering side: {@link dev.escapement.render.FrameView} for the application's own loop, or {@link dev.escapement.render.RenderLoop}
 * for a thread with its own rate.
 *
 * <p>Everything here belongs to one rendering thread, except where a method says otherwise.
 */
@NullMarked
package dev.escapement.render;

import org.jspecify.annotations.NullMarked;
