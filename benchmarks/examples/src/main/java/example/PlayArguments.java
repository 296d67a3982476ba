package example;

import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** For how long an example plays: {@code [seconds]}. */
@Command(name = "example", sortOptions = false)
public class PlayArguments {

    private static final int LONGEST_SECONDS = 86_400;

    @Parameters(
            paramLabel = "seconds",
            arity = "0..1",
            description =
                    "For how long it plays, 1 to " + LONGEST_SECONDS + "; ${DEFAULT-VALUE} where nothing is said.")
    private int seconds;

    @Option(names = "--help", usageHelp = true, description = "Says this.")
    private boolean helpWanted;

    /** The defaults. */
    public PlayArguments(int defaultSeconds) {
        seconds = defaultSeconds;
    }

    /** The length of the play. */
    public final int seconds() {
        return seconds;
    }

    boolean helpWanted() {
        return helpWanted;
    }

    /** Why it cannot play with these arguments, in one line with the remedy; empty if it can. */
    protected Optional<String> obstacle() {
        return seconds >= 1 && seconds <= LONGEST_SECONDS
                ? Optional.empty()
                : Optional.of("seconds are 1 to " + LONGEST_SECONDS + ", but these are '" + seconds + "' (see --help)");
    }
}
