/** A model of a world as simple as possible: random ticks of it, and what readers must find. */
@NullMarked
package dev.escapement.state.capture.model;

import org.jspecify.annotations.NullMarked;
