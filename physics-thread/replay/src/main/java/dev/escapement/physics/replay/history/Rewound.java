package dev.escapement.physics.replay.history;

/**
 * The result of a rewind. The next simulation tick is {@code to + 1}, and the next published tick {@code published + 1}.
 *
 * @param from      the last simulation tick before the rewind
 * @param to        the simulation tick to which the run went back
 * @param published the last published tick before the rewind; published ticks never go back
 * @see StateHistory#rewind
 * @see dev.escapement.state.snapshot.Snapshot#simulationTick()
 */
public record Rewound(long from, long to, long published) {}
