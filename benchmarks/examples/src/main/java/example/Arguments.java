package example;

/** Reads the arguments of an example's main method: numbers, each with a default. */
public final class Arguments {

    private static final int CANNOT_START = 2;
    private static final int LONGEST_SECONDS = 86_400;

    private Arguments() {}

    /** {@return the seconds for which an example plays, which are its first argument} */
    public static int seconds(String[] args, int byDefault) {
        return number(args, 0, "seconds", LONGEST_SECONDS, byDefault);
    }

    /**
     * {@return the argument at an index: a number from 1 to {@code max}} Prints one line and ends the process if the argument is anything
     * else.
     */
    public static int number(String[] args, int index, String name, int max, int byDefault) {
        if (args.length <= index) {
            return byDefault;
        }
        try {
            int number = Integer.parseInt(args[index]);
            if (number >= 1 && number <= max) {
                return number;
            }
        } catch (NumberFormatException e) {
            // A text that is no number gets the same message as a number out of range.
        }
        System.err.println(name + " are 1 to " + max + ", but this is '" + args[index] + "'");
        System.exit(CANNOT_START);
        return byDefault;
    }
}
