package example;

import dev.escapement.physics.TickingWorld;
import dev.escapement.physics.command.Command;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Runs commands whose results the game does not need. */
public final class Commands {

    private static final Logger LOGGER = Logger.getLogger(Commands.class.getName());

    private Commands() {}

    /** Lets the physics thread run a command, and logs its failure. */
    @SuppressWarnings("FutureReturnValueIgnored") // failures are logged here
    public static void run(TickingWorld physics, Command<?> command) {
        physics.command(command).whenComplete((answer, failure) -> {
            if (failure != null) {
                LOGGER.log(Level.WARNING, "a command failed", failure);
            }
        });
    }
}
