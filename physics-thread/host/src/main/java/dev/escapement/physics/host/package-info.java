/**
 * Many worlds on few threads: {@link dev.escapement.physics.host.PhysicsHost}. A {@code Seat} is the place of a world, and a {@code Worker}
 * a thread that runs the slices of seats, the earliest deadline first.
 */
@NullMarked
package dev.escapement.physics.host;

import org.jspecify.annotations.NullMarked;
