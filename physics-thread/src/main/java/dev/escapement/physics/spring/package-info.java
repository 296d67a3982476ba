/**
 * Masses on springs: a simulation whose exact solution is known, the ground truth of many tests.
 *
 * <p>Start reading at {@link dev.escapement.physics.spring.SpringSimulation}.
 */
@NullMarked
package dev.escapement.physics.spring;

import org.jspecify.annotations.NullMarked;
