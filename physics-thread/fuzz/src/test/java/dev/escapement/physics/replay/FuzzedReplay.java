package dev.escapement.physics.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.escapement.physics.Witness;
import dev.escapement.physics.command.CommandHandlers;
import dev.escapement.physics.command.CommandName;
import dev.escapement.physics.command.CommandType;
import java.io.InputStream;

/** Replays a made-up run, with a simulation that reads all of a tick's input. */
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
     * Repeats a run to its end.
     *
     * @param log what was accepted as a log
     * @throws Exception if that is not possible
     */
    public static void run(InputLog log) throws Exception {
        CommandHandlers handlers = new CommandHandlers();
        log.commandTypes().forEach(name -> handlers.on(anyBytes(name), (tick, bytes) -> bytes.length));
        Witness simulation = new Witness() {
            @Override
            public CommandHandlers commands() {
                return handlers;
            }
        };
        try (RepeatedRun run = new RepeatedRun(log, simulation)) {
            while (run.at() < log.ticks()) {
                run.step();
            }
            run.divergence().ifPresent(first -> assertThat(first.tick()).isBetween(1L, log.ticks()));
        }
    }
}
