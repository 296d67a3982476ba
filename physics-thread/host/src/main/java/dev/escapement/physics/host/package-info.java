/**
 * Many worlds on few threads: {@link dev.escapement.physics.host.PhysicsHost}. A {@code Seat} has the scheduling state of a world, and a
 * {@code Worker} is a thread that runs the slices of seats, the earliest deadline first.
 */
@NullMarked
package dev.escapement.physics.host;

import org.jspecify.annotations.NullMarked;
