/**
 * For renderers that keep objects of their own for bodies, as scene graphs do: which objects there have to be, and where they
 * belong.
 *
 * <p>One rendering thread. Start reading at {@link dev.escapement.render.scene.SceneBodies}.
 */
@NullMarked
package dev.escapement.render.scene;

import org.jspecify.annotations.NullMarked;
