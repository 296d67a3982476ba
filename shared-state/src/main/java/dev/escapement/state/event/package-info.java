/**
 * What happens to bodies, on its way out of the physics thread: spawned, despawned, contacts that begin and end, in an order
 * that is the same in every run.
 *
 * <p>The physics thread tells with an {@link dev.escapement.state.event.EventWriter}; each subscriber drains an
 * {@link dev.escapement.state.event.EventStream} of its own, on a thread of its own. Start reading there.
 */
@NullMarked
package dev.escapement.state.event;

import org.jspecify.annotations.NullMarked;
