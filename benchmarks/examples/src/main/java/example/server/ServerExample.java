package example.server;

import dev.escapement.physics.replay.log.InputLog;
import dev.escapement.render.FrameView;
import example.Launcher;
import example.PlayArguments;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;

/** Serves a pile for some seconds to one client, which pushes it to the right: {@code ServerExample [seconds]}. */
public final class ServerExample {

    private static final int DEFAULT_SECONDS = 3;
    private static final int BOXES = 200;
    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long FRAME_NANOS = 7_000_000;

    /** GLFW's code. */
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
            client.key(KEY_RIGHT, true);
            long startNanos = System.nanoTime();
            for (int second = 1; second <= seconds && server.failure().isEmpty(); second++) {
                FrameView frame = null;
                while (System.nanoTime() - startNanos < second * SECOND_NANOS) {
                    frame = client.frame(); // drawn here, in a client with a window
                    LockSupport.parkNanos(FRAME_NANOS);
                }
                System.out.printf(
                        "%s; the client sees x = %.2f m%n",
                        server.stats(), frame == null ? Double.NaN : GameClient.meanX(frame));
            }
        }
        close(server);
        System.out.println(InputLog.open(log));
    }

    /** On Ctrl-C and SIGTERM, too: then the recording is complete. */
    private static void close(GameServer server) {
        try {
            server.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
