/** Injects faults of foreign code into the tests of all modules. */
@NullMarked
package dev.escapement.state.fault;

import org.jspecify.annotations.NullMarked;
