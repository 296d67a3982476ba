/**
 * jMonkeyEngine's spatials, placed where a frame shows the bodies: one by a control, many by a factory.
 *
 * <p>Everything here belongs to the application's render thread. Start reading at
 * {@link dev.escapement.render.jme.BodiesAppState}.
 */
@NullMarked
package dev.escapement.render.jme;

import org.jspecify.annotations.NullMarked;
