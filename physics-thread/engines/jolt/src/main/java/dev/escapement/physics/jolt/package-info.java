/**
 * Jolt, a native engine in C++, through its binding jolt-jni: the box pile, and systems that a game already has.
 *
 * <p>Start reading at {@link dev.escapement.physics.jolt.JoltSimulation} and
 * {@link dev.escapement.physics.jolt.JoltWorldSimulation}.
 */
@NullMarked
package dev.escapement.physics.jolt;

import org.jspecify.annotations.NullMarked;
