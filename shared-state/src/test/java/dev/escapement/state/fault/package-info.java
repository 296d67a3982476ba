/** What tests of all modules break the code with that is not ours. */
@NullMarked
package dev.escapement.state.fault;

import org.jspecify.annotations.NullMarked;
