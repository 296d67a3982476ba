/** Helpers that the modules of this project share. Not API. */
@NullMarked
package dev.escapement.state.internal;

import org.jspecify.annotations.NullMarked;
