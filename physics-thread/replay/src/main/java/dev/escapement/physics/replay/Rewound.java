package dev.escapement.physics.replay;

/**
 * A run went back: the tick after this has number {@code to + 1} for the simulation, and {@code published + 1} for readers.
 *
 * @param from      the last tick that the simulation had run, by its own count
 * @param to        the tick to which it went back
 * @param published the last tick that was published before that, by the count of readers, which does not go back
 * @see StateHistory#rewind
 * @see dev.escapement.state.snapshot.Snapshot#simulationTick()
 */
public record Rewound(long from, long to, long published) {}
