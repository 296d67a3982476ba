package example.server;

import dev.escapement.physics.replay.InputLog;
import example.Launcher;
import example.PlayArguments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Serves a pile for some seconds to one client, which pushes it to the right: {@code ServerExample [seconds]}. */
public final class ServerExample {

    private static final int DEFAULT_SECONDS = 3;
    private static final int BOXES = 200;

    /** GLFW's code, as in every scene of ours. */
    private static final int KEY_RIGHT = 262;

    private ServerExample() {}

    public static void main(String[] args) throws Exception {
        Launcher.launch(new PlayArguments(DEFAULT_SECONDS), args, arguments -> serve(arguments.seconds()));
    }

    private static void serve(int seconds) throws IOException {
        Path log = Files.createTempDirectory("escapement-example-").resolve("server.esclog");
        GameServer server = new GameServer(0, BOXES, log);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> close(server), "shutdown"));
        try (GameClient client = new GameClient(server.address())) {
            client.hello();
            client.key(KEY_RIGHT, true);
            for (int second = 1; second <= seconds && server.failure().isEmpty(); second++) {
                while (client.receive() < second * 100L) {
                    // the client's own frames would go here
                }
                System.out.printf("%s; the client sees x = %.2f m%n", server.stats(), client.meanX());
            }
        }
        close(server);
        System.out.println(InputLog.open(log));
    }

    /** On Ctrl-C and SIGTERM, too: then the recording is complete, and bodies are where the last packet said. */
    private static void close(GameServer server) {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
