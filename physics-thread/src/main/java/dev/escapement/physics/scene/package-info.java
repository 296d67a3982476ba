/**
 * The demonstration scene, the same for every engine: a pile of boxes, and input that pushes them around.
 *
 * <p>Start reading at {@link dev.escapement.physics.scene.BoxPile}.
 */
@NullMarked
package dev.escapement.physics.scene;

import org.jspecify.annotations.NullMarked;
