/**
 * A simulation around an existing scene of PhysX 5, a native engine in C++, through its binding physx-jni.
 *
 * <p>Start reading at {@link dev.escapement.physics.physx.PhysxWorldSimulation}.
 */
@NullMarked
package dev.escapement.physics.physx;

import org.jspecify.annotations.NullMarked;
