/**
 * Places jMonkeyEngine's spatials where a frame shows the bodies.
 *
 * <p>Everything here belongs to the application's render thread. Start reading at
 * {@link dev.escapement.render.jme.BodiesAppState}.
 */
@NullMarked
package dev.escapement.render.jme;

import org.jspecify.annotations.NullMarked;
