package dev.escapement.bench.run;

import dev.escapement.bench.report.ConsoleCommand;
import dev.escapement.bench.report.EndRequest;
import dev.escapement.bench.report.WholeFile;
import dev.escapement.render.lwjgl.GlfwWindow;
import dev.escapement.render.lwjgl.NoDisplayException;
import dev.escapement.render.lwjgl.SceneView;
import dev.escapement.state.time.TickRate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.Stack;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Visibility;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/**
 * Options that {@code run} and {@code watch} share: whether to show a window, a web page or nothing, for how long, and where to write
 * results. Main thread.
 */
final class ShowOptions {

    private static final TickRate HEADLESS_FPS = TickRate.hertz(144);
    private static final int USUAL_SECONDS = 10;
    private static final int MAX_SEEN_SECONDS = 600;
    private static final int LAST_PORT = 65_535;

    @Option(names = "--window", description = "Draw in a window, with the error of each frame.")
    private boolean window;

    @Option(
            names = "--live",
            paramLabel = "PORT",
            arity = "0..1",
            parameterConsumer = PortIfThereIsOne.class,
            description = "Show it on a page, and print its address.")
    private @Nullable Integer livePort;

    @Option(names = "--seconds", paramLabel = "S", description = "Length (10, in a window or on a page 600).")
    private @Nullable Integer seconds;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            defaultValue = "target/escapement",
            showDefaultValue = Visibility.NEVER,
            description = "Folder of the results (${DEFAULT-VALUE}).")
    private Path out;

    /**
     * Checks the options.
     *
     * @throws IllegalArgumentException if the port is impossible or used by another program, or two options exclude each other
     * @throws NoDisplayException       if no window can be opened
     */
    void check(@Nullable TickRate fps) {
        if (livePort == null) {
            if (window && fps != null) {
                throw new IllegalArgumentException("--window draws at the rate of the display; leave --fps out");
            }
            if (window) {
                GlfwWindow.requireDisplay(); // fails now instead of after the world was built, which may take minutes
            }
            return;
        }
        ConsoleCommand.check("--live", livePort, 0, LAST_PORT);
        if (window) {
            throw new IllegalArgumentException("--live and --window exclude each other; leave one out");
        }
        if (livePort != 0) {
            try (ServerSocket free = new ServerSocket()) {
                free.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), livePort));
            } catch (IOException e) {
                throw new IllegalArgumentException(
                        "--live " + livePort + ": " + e.getMessage()
                                + "; choose another port, or none for any that is free",
                        e);
            }
        }
    }

    int seconds() {
        return seconds != null ? seconds : window || livePort != null ? MAX_SEEN_SECONDS : USUAL_SECONDS;
    }

    Path result(String name) {
        Path file = out.resolve(name);
        WholeFile.checkWritable("--out", file);
        return file;
    }

    /**
     * Creates the stage; {@code isOwnWorld} is true for a world of --simulation. From now on Ctrl-C ends the waiting in {@code
     * Stage.waitWhile}.
     */
    Stage stage(String title, SceneView scene, boolean isOwnWorld, @Nullable TickRate fps, Consumer<String> say) {
        EndRequest.accept();
        if (window) {
            return new Stage.Window(scene, isOwnWorld, say);
        }
        TickRate drawn = fps == null ? HEADLESS_FPS : fps;
        return livePort != null ? new Stage.Live(title, livePort, drawn, say) : new Stage(drawn);
    }

    /**
     * Takes the next argument as the port of {@code --live} only if it is a number. In {@code watch --live ADDRESS} the next argument is
     * the address to watch. In {@code run} any other text is an error.
     */
    static final class PortIfThereIsOne implements IParameterConsumer {

        @Override
        @SuppressWarnings("JdkObsolete") // picocli's API takes a Stack
        public void consumeParameters(Stack<String> args, ArgSpec option, CommandSpec command) {
            boolean hasPort = !args.isEmpty() && args.peek().matches("-?\\d{1,9}");
            if (!hasPort
                    && command.positionalParameters().isEmpty()
                    && !args.isEmpty()
                    && !args.peek().startsWith("-")) {
                throw new ParameterException(
                        command.commandLine(), "--live takes a port, or nothing, but is '" + args.peek() + "'");
            }
            option.setValue(hasPort ? Integer.valueOf(args.pop()) : Integer.valueOf(0));
        }
    }
}
