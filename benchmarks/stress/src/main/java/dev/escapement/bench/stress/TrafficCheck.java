package dev.escapement.bench.stress;

import dev.escapement.bench.stress.InputLedger.RingCounts;
import dev.escapement.physics.PhysicsService;
import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.simulation.Tick;
import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Input and commands: each arrives once, in its order, the counts add up, and each command is answered. */
final class TrafficCheck implements Part {

    private final Life life;
    final InputLedger inputs;
    final CommandLedger commands;

    TrafficCheck(Life life) {
        this.life = life;
        inputs = new InputLedger(InputStorm.PRODUCERS, life.trial::isPlanted);
        commands = new CommandLedger(life.trial, CommandStorm.LANES, CommandStorm.Planned.class::isInstance);
    }

    @Override
    public void command(long tick, Object command) {
        life.allocations.disturb();
        if (command instanceof CommandData data && data.type().name().equals(StressedSimulation.NAME)) {
            StressedSimulation.Act act = act(data);
            commands.run(act.lane(), act.number(), tick);
        }
    }

    private static StressedSimulation.Act act(CommandData data) {
        try {
            return StressedSimulation.Act.read(new DataInputStream(new ByteArrayInputStream(data.bytes())));
        } catch (IOException e) {
            throw new UncheckedIOException(e); // not of an array
        }
    }

    @Override
    public void stepping(Tick tick) {
        inputs.arrive(tick);
    }

    /** Returns whether all that was offered has arrived, and all commands are answered. After the end of the storm. */
    boolean isThrough(PhysicsService physics) {
        return inputs.arrived() >= inputs.accepted()
                && (life.world.offersInput() || physics.pendingInputs() == 0)
                && commands.areAllAnswered();
    }

    @Override
    public void check() {
        commands.checkAnswers();
        commands.checkNoneWasLeft(life.physics().refusedCommands()); // it was closed when all were answered
        if (life.world.offersInput()) {
            life.trial.leftOut(Promise.INPUT_SUMS, "the world offers input of its own, which the ring counts, too");
        }
        if (life.plan.parts().contains(StormPart.INPUT)) {
            // A client over UDP has events of its own, which the ring counts.
            boolean addsUp = !life.world.offersInput() && !life.plan.parts().contains(StormPart.UDP);
            inputs.report(life.trial, RingCounts.of(life.physics()), addsUp);
        }
    }
}
