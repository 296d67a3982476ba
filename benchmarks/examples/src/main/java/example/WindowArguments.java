package example;

import dev.escapement.render.lwjgl.GlfwWindow;
import dev.escapement.render.lwjgl.NoDisplayException;
import dev.escapement.render.lwjgl.NoOpenGlException;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** How an example with a picture plays: {@code [--window] [seconds]}. */
public final class WindowArguments extends PlayArguments {

    private final Supplier<Optional<String>> missingDisplay;

    @Option(names = "--window", description = "Insists on a window.")
    private boolean window;

    /** The defaults. */
    public WindowArguments(int defaultSeconds) {
        this(defaultSeconds, WindowArguments::missingDisplay);
    }

    /** Parses the arguments; {@code missing} is called only if a window is wanted. */
    WindowArguments(int defaultSeconds, Supplier<Optional<String>> missingDisplay) {
        super(defaultSeconds);
        this.missingDisplay = missingDisplay;
    }

    /** Whether it must open a window. */
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
                .map(reason -> reason + "; leave out --window, set DISPLAY, or run it under Xvfb (xvfb-run)");
    }

    /** Checked before an engine opens its own window, which would print many lines of errors. */
    private static Optional<String> missingDisplay() {
        try {
            GlfwWindow.open("", 1, 1).close();
            return Optional.empty();
        } catch (NoDisplayException | NoOpenGlException missing) {
            return Optional.ofNullable(missing.getMessage());
        }
    }
}
