/**
 * Integer time: the clock, exact tick rates, the timeline from clock time to simulated time, and waiting for a deadline.
 *
 * <p>All times are nanoseconds in a {@code long}. Compare instants of the clock by difference, because a monotonic clock may be negative or
 * wrap. Nothing reads a wall-clock date. Start reading at {@link dev.escapement.state.time.Timeline}.
 */
@NullMarked
package dev.escapement.state.time;

import org.jspecify.annotations.NullMarked;
