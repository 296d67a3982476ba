package example;

import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** How an example with a picture plays: {@code [--window] [seconds]}. */
public final class WindowArguments extends PlayArguments {

    private final Supplier<Optional<String>> missingDisplay;

    @Option(names = "--window", description = "Insists on a window.")
    private boolean window;

    /** As if nothing were said. */
    public WindowArguments(int defaultSeconds) {
        this(defaultSeconds, Display::missing);
    }

    /** Asks for what is missing only when a window is wanted. */
    WindowArguments(int defaultSeconds, Supplier<Optional<String>> missingDisplay) {
        super(defaultSeconds);
        this.missingDisplay = missingDisplay;
    }

    /** Whether it must open one. */
    public boolean window() {
        return window;
    }

    @Override
    protected Optional<String> obstacle() {
        return super.obstacle().or(() -> window ? noDisplay() : Optional.empty());
    }

    private Optional<String> noDisplay() {
        return missingDisplay
                .get()
                .map(reason -> "cannot open a window, there is no display: " + reason
                        + "; leave out --window, set DISPLAY, or run it under Xvfb (xvfb-run)");
    }
}
