/**
 * Moves an existing jMonkeyEngine scene, with the physics controls of Minie, to a physics thread.
 *
 * <p>Start reading at {@link dev.escapement.minie.MinieAppState}.
 */
@NullMarked
package dev.escapement.minie;

import org.jspecify.annotations.NullMarked;
