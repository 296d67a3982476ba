/**
 * The box pile in Jolt, a native engine in C++, through its binding jolt-jni.
 *
 * <p>Start reading at {@link dev.escapement.physics.jolt.JoltSimulation}.
 */
@NullMarked
package dev.escapement.physics.jolt;

import org.jspecify.annotations.NullMarked;
