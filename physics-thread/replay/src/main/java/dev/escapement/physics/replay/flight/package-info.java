/**
 * The flight recorder: the last seconds of a run as a log, for when something fails.
 *
 * <p>{@code FlightWriter} encodes, {@code FlightRing} has the files, {@code FlightFiles} archives. Start reading at
 * {@link dev.escapement.physics.replay.flight.FlightRecorder}.
 */
@NullMarked
package dev.escapement.physics.replay.flight;

import org.jspecify.annotations.NullMarked;
