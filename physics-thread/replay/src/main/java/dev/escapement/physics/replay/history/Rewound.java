package dev.escapement.physics.replay.history;

/**
 * A run went back: the next simulation tick is {@code to + 1}, and the next published tick {@code published + 1}.
 *
 * @param from      the last simulation tick before that
 * @param to        the simulation tick to which it went back
 * @param published the last published tick before that, which does not go back
 * @see StateHistory#rewind
 * @see dev.escapement.state.snapshot.Snapshot#simulationTick()
 */
public record Rewound(long from, long to, long published) {}
