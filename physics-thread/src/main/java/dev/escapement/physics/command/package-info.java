/**
 * Code that any thread can run on the physics thread: commands between two ticks, queries, and spawns of bodies.
 *
 * <p>Start reading at {@code TickingWorld.command}.
 */
@NullMarked
package dev.escapement.physics.command;

import org.jspecify.annotations.NullMarked;
