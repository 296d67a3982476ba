package dev.escapement.bench.stress.world;

import dev.escapement.physics.Simulation;
import dev.escapement.physics.Tick;
import dev.escapement.state.capture.PoseWriter;

/**
 * A predictable world that takes its input into a ledger.
 *
 * @param world  what moves
 * @param ledger where the input of each tick goes
 */
public record LedgerWorld(PredictableWorld world, InputLedger ledger) implements Simulation {

    @Override
    public void step(Tick tick) {
        ledger.arrive(tick.input());
        world.step(tick);
    }

    @Override
    public void capture(PoseWriter poses) {
        world.capture(poses);
    }
}
