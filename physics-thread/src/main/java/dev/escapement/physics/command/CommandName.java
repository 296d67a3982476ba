package dev.escapement.physics.command;

/**
 * The name and version of a {@link CommandType}, as logs and packets store it.
 *
 * @param name    its name, of 1 to 100 characters
 * @param version the version of its bytes, at least 1
 * @see CommandType#of
 */
public record CommandName(String name, int version) {

    private static final int MAX_CHARACTERS = 100;

    /**
     * Checks the name.
     *
     * @param name    its name, of 1 to 100 characters
     * @param version the version of its bytes, at least 1
     * @throws IllegalArgumentException if the name is blank or too long, or the version less than 1
     */
    public CommandName {
        if (name.isBlank() || name.length() > MAX_CHARACTERS || version < 1) {
            throw new IllegalArgumentException("a type of commands has a name of 1 to " + MAX_CHARACTERS
                    + " characters and a version from 1, but not '" + name + "' and " + version);
        }
    }

    @Override
    public String toString() {
        return "'" + name + "' version " + version;
    }
}
