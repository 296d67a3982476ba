/**
 * Events for the JDK's Flight Recorder, in the category Escapement. They cost next to nothing while no recording runs.
 *
 * <p>Written on the physics thread only. Start reading at {@link dev.escapement.physics.flight.FlightEvents}.
 */
@NullMarked
package dev.escapement.physics.flight;

import org.jspecify.annotations.NullMarked;
