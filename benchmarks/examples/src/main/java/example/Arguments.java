package example;

/**
 * How an example with a picture is started: {@code [--window] [seconds]}.
 *
 * @param window  whether it must open a window
 * @param seconds for how long it plays
 */
public record Arguments(boolean window, int seconds) {

    private static final int LONGEST_SECONDS = 86_400;
    private static final String USAGE = "usage: [--window] [seconds], for instance --window 20";

    /**
     * Reads a command line.
     *
     * @throws IllegalArgumentException if it is none of ours; the message says in one line what is wrong and what would be right
     */
    static Arguments parse(String[] args, int defaultSeconds) {
        boolean window = args.length > 0 && args[0].equals("--window");
        int used = window ? 1 : 0;
        int seconds = args.length > used ? seconds(args[used]) : defaultSeconds;
        if (args.length > used + 1) {
            throw new IllegalArgumentException("'" + args[used + 1] + "' is too much; " + USAGE);
        }
        return new Arguments(window, seconds);
    }

    private static int seconds(String text) {
        try {
            int seconds = Integer.parseInt(text);
            if (seconds >= 1 && seconds <= LONGEST_SECONDS) {
                return seconds;
            }
        } catch (NumberFormatException notANumber) {
            // told below, as a number that is out of range is
        }
        throw new IllegalArgumentException(
                "'" + text + "' is no number of seconds from 1 to " + LONGEST_SECONDS + "; " + USAGE);
    }
}
