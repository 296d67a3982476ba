/**
 * Events of bodies, on their way from the physics thread to subscribers: spawns, despawns, and contacts that begin and end, in an order
 * that is the same in every run.
 *
 * <p>The physics thread reports contacts with an {@link dev.escapement.state.event.EventWriter}; each subscriber drains an
 * {@link dev.escapement.state.event.EventStream} of its own, on a thread of its own. Start reading there.
 */
@NullMarked
package dev.escapement.state.event;

import org.jspecify.annotations.NullMarked;
