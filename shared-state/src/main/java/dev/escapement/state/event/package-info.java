/**
 * Events of bodies for subscribers: spawns, despawns, and contacts that begin and end, in the same order in every run.
 *
 * <p>The physics thread reports contacts with an {@link dev.escapement.state.event.EventWriter}; each subscriber drains its own
 * {@link dev.escapement.state.event.EventStream} on its own thread. Start reading there.
 */
@NullMarked
package dev.escapement.state.event;

import org.jspecify.annotations.NullMarked;
