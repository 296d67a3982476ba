/**
 * Jolt, a native engine in C++, through its binding jolt-jni: around a system that the game has.
 *
 * <p>Start reading at {@link dev.escapement.physics.jolt.JoltWorldSimulation}.
 */
@NullMarked
package dev.escapement.physics.jolt;

import org.jspecify.annotations.NullMarked;
