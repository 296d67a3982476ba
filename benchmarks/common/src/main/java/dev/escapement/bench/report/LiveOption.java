package dev.escapement.bench.report;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Stack;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IParameterConsumer;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The option {@code --live [PORT]} of commands that show a world in a browser. */
public final class LiveOption {

    /** How long somebody watches at most, if nothing else is said. */
    public static final int MOST_SECONDS = 600;

    private static final int LAST_PORT = 65_535;

    @Option(
            names = "--live",
            paramLabel = "PORT",
            arity = "0..1",
            parameterConsumer = PortIfThereIsOne.class,
            description = {
                "Show it in a browser, for up to 600 s: prints the address of a page to watch, scrub and steer it, alone on a"
                        + " line. Only programs of this machine that know the address get in. Without PORT, or with 0: any free"
                        + " port."
            })
    private @Nullable Integer port;

    /** Whether a page was asked for. */
    public boolean isGiven() {
        return port != null;
    }

    /** Where the page is to be, 0 for any free port. */
    public int port() {
        return port == null ? 0 : port;
    }

    /**
     * Looks at what was given.
     *
     * @param window whether a window was asked for
     * @throws IllegalArgumentException if there is no such port, another program has it, or a window was asked for as well
     */
    public void check(boolean window) {
        ConsoleCommand.check("--live", port(), 0, LAST_PORT);
        if (isGiven() && window) {
            throw new IllegalArgumentException("--live and --window exclude each other; leave one out");
        }
        if (port() != 0) { // now, because a world may take minutes to build
            try (ServerSocket free = new ServerSocket()) {
                free.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port()));
            } catch (IOException e) {
                throw new IllegalArgumentException(
                        "--live " + port() + ": " + e.getMessage()
                                + "; choose another port, or none for any that is free",
                        e);
            }
        }
    }

    /** Leaves alone what is no number: the file of {@code replay --live FILE}. */
    static final class PortIfThereIsOne implements IParameterConsumer {

        @Override
        @SuppressWarnings("JdkObsolete") // picocli's own stack
        public void consumeParameters(Stack<String> args, ArgSpec option, CommandSpec command) {
            boolean hasPort = !args.isEmpty() && args.peek().matches("-?\\d{1,9}");
            option.setValue(hasPort ? Integer.valueOf(args.pop()) : Integer.valueOf(0));
        }
    }
}
