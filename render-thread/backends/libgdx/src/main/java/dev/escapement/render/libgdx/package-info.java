/**
 * Places libGDX's model instances where a frame shows the bodies.
 *
 * <p>Everything here belongs to the application's render thread. Start reading at
 * {@link dev.escapement.render.libgdx.BodyInstances}.
 */
@NullMarked
package dev.escapement.render.libgdx;

import org.jspecify.annotations.NullMarked;
