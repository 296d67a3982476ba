package example;

/** Reads the arguments of an example: numbers, each with a default. */
public final class Arguments {

    private static final int CANNOT_START = 2;
    private static final int LONGEST_SECONDS = 86_400;

    private Arguments() {}

    /** {@return the seconds for which an example plays, its first argument} */
    public static int seconds(String[] args, int byDefault) {
        return number(args, 0, "seconds", LONGEST_SECONDS, byDefault);
    }

    /** {@return the argument at an index, from 1 to {@code max}} Ends the process with one line if the argument is no such number. */
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
            // Falls through to the same message as for 0.
        }
        System.err.println(name + " are 1 to " + max + ", but this is '" + args[index] + "'");
        System.exit(CANNOT_START);
        return byDefault;
    }
}
