package dev.escapement.bench.flood;

import dev.escapement.physics.PhysicsService;

/**
 * What a ring and its service counted themselves.
 *
 * @param accepted events the ring accepted
 * @param rejected events it refused
 * @param pending  events that reached no tick
 * @param dropped  events that were dropped while time stood still
 */
public record RingCounts(long accepted, long rejected, long pending, long dropped) {

    /** Of a service that was closed. */
    static RingCounts of(PhysicsService closed) {
        return new RingCounts(
                closed.input().accepted(),
                closed.input().rejected(),
                closed.pendingInputs(),
                closed.input().droppedWhilePaused());
    }
}
