/** Faults of foreign code that the tests of all modules inject. */
@NullMarked
package dev.escapement.state.fault;

import org.jspecify.annotations.NullMarked;
