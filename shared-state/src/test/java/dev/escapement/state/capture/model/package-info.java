/** The simplest model of a world: random ticks, and the snapshots that readers must see. */
@NullMarked
package dev.escapement.state.capture.model;

import org.jspecify.annotations.NullMarked;
