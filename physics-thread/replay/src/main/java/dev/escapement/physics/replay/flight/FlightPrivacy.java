package dev.escapement.physics.replay.flight;

import dev.escapement.physics.command.CommandData;
import dev.escapement.state.input.InputKind;

/**
 * Decides what of the input the files of a {@link FlightRecorder} have. Where something that mattered is left out, the file does not repeat
 * to the bit.
 *
 * <p>Physics thread only. Should allocate nothing. What it throws ends the flight recorder, and not the service.
 *
 * @see FlightRecorder#privacy
 */
public interface FlightPrivacy {

    /**
     * {@return whether an event is written} The level of a key or button has the kind that presses it.
     *
     * @param kind its kind
     * @param code its code
     */
    default boolean keeps(InputKind kind, int code) {
        return true;
    }

    /**
     * {@return what is written of a command: the same, or one of its type with other bytes, such as a hash of a text}
     *
     * @param command the command
     */
    default CommandData written(CommandData command) {
        return command;
    }
}
