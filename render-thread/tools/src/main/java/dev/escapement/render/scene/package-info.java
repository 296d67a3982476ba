/**
 * Support for renderers that keep an object per body, as scene graphs do: the objects that must exist, and their places.
 *
 * <p>One rendering thread. Start reading at {@link dev.escapement.render.scene.SceneBodies}.
 */
@NullMarked
package dev.escapement.render.scene;

import org.jspecify.annotations.NullMarked;
