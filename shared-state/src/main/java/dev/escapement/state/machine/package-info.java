/**
 * What the machine does to threads that want to run: cores that are away. For instruments.
 */
@NullMarked
package dev.escapement.state.machine;

import org.jspecify.annotations.NullMarked;
