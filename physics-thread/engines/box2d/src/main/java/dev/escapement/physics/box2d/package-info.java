/**
 * A simulation around an existing world of Box2D, a native engine for two dimensions, through libGDX's binding.
 *
 * <p>Start reading at {@link dev.escapement.physics.box2d.Box2dWorldSimulation}.
 */
@NullMarked
package dev.escapement.physics.box2d;

import org.jspecify.annotations.NullMarked;
