package dev.escapement.physics.replay.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.Witness;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.command.CommandType;
import dev.escapement.physics.restore.Restorable;
import dev.escapement.physics.restore.StateBuffer;
import java.io.InputStream;

/** Replays a fuzzed log, with a simulation that reads all input of a tick. */
public final class FuzzedReplay {

    private FuzzedReplay() {}

    private static CommandType<byte[], Integer> anyBytes(CommandName name) {
        return CommandType.of(
                name.name(),
                name.version(),
                (bytes, to) -> to.write(bytes),
                from -> ((InputStream) from).readAllBytes());
    }

    /**
     * Replays a log to its end.
     *
     * @param log an accepted log
     * @throws Exception if the replay fails
     */
    public static void run(InputLog log) throws Exception {
        CommandHandlers handlers = new CommandHandlers();
        log.commandTypes().forEach(name -> handlers.on(anyBytes(name), (tick, bytes) -> bytes.length));
        try (LogRunner run = new LogRunner(log, new RestoredWitness(handlers, log.settings()))) {
            while (run.position() < log.lastPosition()) {
                run.step();
            }
            // isBetween starts before the first tick, because this simulation saves another state than it restores.
            run.divergence()
                    .ifPresent(first -> assertThat(first.tick()).isBetween(log.firstTick() - 1, log.lastPosition()));
        }
    }

    /** A simulation that accepts any state and any settings. */
    private static final class RestoredWitness extends Witness implements Restorable {

        private final CommandHandlers handlers;
        private final String settings;

        RestoredWitness(CommandHandlers handlers, String settings) {
            this.handlers = handlers;
            this.settings = settings;
        }

        @Override
        public String settings() {
            return settings;
        }

        @Override
        public CommandHandlers commands() {
            return handlers;
        }

        @Override
        public void save(StateBuffer to) {}

        @Override
        public void restore(StateBuffer from) {}
    }
}
