/**
 * A simulation around an existing system of Jolt, a native engine in C++, through its binding jolt-jni.
 *
 * <p>Start reading at {@link dev.escapement.physics.jolt.JoltWorldSimulation}.
 */
@NullMarked
package dev.escapement.physics.jolt;

import org.jspecify.annotations.NullMarked;
