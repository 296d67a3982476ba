/**
 * The flight recorder, which archives the last seconds of a run when something fails.
 *
 * <p>{@code FlightWriter} encodes records, {@code FlightRing} appends them to files, {@code FlightFiles} archives these. Start reading at
 * {@link dev.escapement.physics.replay.flight.FlightRecorder}.
 */
@NullMarked
package dev.escapement.physics.replay.flight;

import org.jspecify.annotations.NullMarked;
