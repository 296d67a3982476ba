package example.server;

import example.PlayArguments;
import java.util.Optional;
import picocli.CommandLine.Option;

/** Which side plays: {@code [seconds] [--server port | --client port]}; both sides in this process where nothing is said. */
final class ServerArguments extends PlayArguments {

    private static final int DEFAULT_SECONDS = 3;
    private static final int HIGHEST_PORT = 65_535;

    @Option(names = "--server", paramLabel = "port", description = "Serves at this port of this machine, 1 to 65535.")
    int serverPort;

    @Option(names = "--client", paramLabel = "port", description = "Joins the server at this port of this machine.")
    int clientPort;

    ServerArguments() {
        super(DEFAULT_SECONDS);
    }

    @Override
    protected Optional<String> obstacle() {
        if (serverPort != 0 && clientPort != 0) {
            return Optional.of("there are both --server and --client; start a process for each (see --help)");
        }
        int port = Math.min(serverPort, clientPort) < 0 ? -1 : Math.max(serverPort, clientPort);
        return port < 0 || port > HIGHEST_PORT
                ? Optional.of(
                        "a port is 1 to 65535, but there are " + serverPort + " and " + clientPort + " (see --help)")
                : super.obstacle();
    }
}
