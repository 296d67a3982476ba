/**
 * Interpolation between two snapshots: positions along a line, rotations along the arc between them.
 *
 * <p>One rendering thread. Start reading at {@link dev.escapement.render.interpolation.Interpolator}.
 */
@NullMarked
package dev.escapement.render.interpolation;

import org.jspecify.annotations.NullMarked;
