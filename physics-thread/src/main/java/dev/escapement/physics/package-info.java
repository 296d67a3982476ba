/**
 * The physics thread.
 *
 * <p>Implement {@link dev.escapement.physics.Simulation}, which is only ever called on the physics thread; build a
 * {@link dev.escapement.physics.PhysicsService} around it from any thread.
 */
@NullMarked
package dev.escapement.physics;

import org.jspecify.annotations.NullMarked;
