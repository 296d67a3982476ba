package dev.escapement.physics;

import dev.escapement.state.capture.Capture;
import java.util.concurrent.CompletableFuture;

/**
 * Reserves ids, sends them on their way with the commands that make the bodies, and gives back those that will not be used. An error
 * of the virtual machine between the one and the other, a stack overflow say, costs one slot: the command may be on its way, and
 * an id that was given back would fail the simulation that spawns the body.
 */
final class Spawner {

    /** No body has this id: its generation is even. */
    private static final long NOBODY = 0;

    private final Capture capture;
    private final CommandQueue commands;

    Spawner(Capture capture, CommandQueue commands) {
        this.capture = capture;
        this.commands = commands;
    }

    /** Any thread. */
    <T> Spawned<T> spawn(SpawnCommand<T> command) {
        Throwable refusal = commands.refuseIfFullOrEnded();
        if (refusal != null) {
            // Without an id: who tries again and again would use up new slots, while nothing ticks and takes them back.
            return new Spawned<>(NOBODY, CompletableFuture.failedFuture(refusal));
        }
        long id = capture.reserve();
        return new Spawned<>(id, commands.offer(tick -> command.run(tick, id), new Reserved(capture, id)));
    }

    private record Reserved(Capture capture, long id) implements CommandQueue.Reservation {

        @Override
        public void require() {
            capture.requireReserving();
        }

        @Override
        public void giveBack() {
            capture.giveBack(id);
        }
    }
}
