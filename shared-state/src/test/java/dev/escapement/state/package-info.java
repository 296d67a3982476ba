/** Helpers that the tests of all modules share. */
@NullMarked
package dev.escapement.state;

import org.jspecify.annotations.NullMarked;
