package dev.escapement.physics.loop;

import dev.escapement.physics.command.CommandData;
import dev.escapement.physics.simulation.Simulation;
import dev.escapement.physics.simulation.Tick;
import dev.escapement.physics.spi.SteppedTick;
import dev.escapement.physics.usercode.UserCodeGuard;
import java.util.List;

/** The tick that the simulation stepped last. */
final class FinishedStep implements SteppedTick {

    private final Simulation simulation;
    private final Tick tick;
    private final ExecutedCommands ran;
    private final UserCodeGuard guard;
    private boolean isHashed;
    private long stateHash;

    FinishedStep(Simulation simulation, Tick tick, ExecutedCommands ran, UserCodeGuard guard) {
        this.simulation = simulation;
        this.tick = tick;
        this.ran = ran;
        this.guard = guard;
    }

    /** Called after each step. */
    void forgetHash() {
        isHashed = false;
    }

    @Override
    public Tick tick() {
        return tick;
    }

    @Override
    public List<CommandData> commands() {
        return ran.data();
    }

    @Override
    public boolean localRan() {
        return ran.isLocal();
    }

    @Override
    public long stateHash() {
        if (!isHashed) {
            stateHash = simulation.hash();
            guard.next(); // throws if the thread was abandoned in hash(): then no log may record this hash
            isHashed = true;
        }
        return stateHash;
    }
}
