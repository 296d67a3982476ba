/** Not API: what the modules of this project share, and no caller needs. */
@NullMarked
package dev.escapement.state.internal;

import org.jspecify.annotations.NullMarked;
