/**
 * What the machine and the JVM do to threads that want to run: cores that are away, and pauses of the JVM. For instruments.
 */
@NullMarked
package dev.escapement.state.machine;

import org.jspecify.annotations.NullMarked;
